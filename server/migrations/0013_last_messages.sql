-- A copy of a conversation's newest message in the conversation's own row, so that an inbox need not look for it. Sending
-- writes it; where there is none, or a newer message than it (`last_item_time` is not `last_time`), the message is looked for.
alter table conversations
  add column last_id bigint,
  -- Who wrote it and what, as a part of the JSON of an inbox's row; null when it is long.
  add column last_item text,
  add column last_item_time timestamptz(3),
  add column last_is_from_a boolean,
  add column last_read boolean;

-- Whoever deletes or marks the message: the copy follows. What does so holds the conversation's lock by then; erasing deletes
-- without it, and so takes the copy away first.
create function forget_last_message() returns trigger language plpgsql as $$
begin
  update conversations c set last_item = null from gone
  where c.id = gone.conversation_id and c.last_id = gone.id and c.last_item is not null;
  return null;
end $$;

create trigger forget_last_message after delete on direct_messages
  referencing old table as gone for each statement execute function forget_last_message();

create function mark_last_message() returns trigger language plpgsql as $$
begin
  update conversations set last_read = new.read where id = new.conversation_id and last_id = new.id;
  return null;
end $$;

create trigger mark_last_message after update of read on direct_messages
  for each row execute function mark_last_message();

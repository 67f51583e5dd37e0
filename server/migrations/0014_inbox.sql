-- A copy of a chat's newest message in the chat's own row, as with conversations (0013).
alter table group_chats
  add column last_id bigint,
  add column last_fromaddr text collate "C",
  -- What it says, as a part of the JSON of an inbox's row; null when it is long or several were posted at once.
  add column last_item text,
  add column last_item_time timestamptz(3);

-- The service deletes no message of a chat; whoever else does: the copy follows.
create function forget_last_post() returns trigger language plpgsql as $$
begin
  update group_chats c set last_item = null from gone where c.chat = gone.chat and c.last_id = gone.id;
  return null;
end $$;

create trigger forget_last_post after delete on group_messages
  referencing old table as gone for each statement execute function forget_last_post();

-- locks: an index over a million names is built in two seconds; meanwhile names are read, not set.
-- An inbox looks up one name and one picture a row: a hash finds them in two thirds of the time, however many there are.
create index names_hash on names using hash (address);
create index images_hash on images using hash (addr);

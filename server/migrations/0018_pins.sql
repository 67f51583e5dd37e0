-- Pinned messages: fifty at most in a conversation or a chat.
create table pins (
  bucket integer not null,
  -- This is the two addresses of a conversation in the order of their bytes with a space between, or the key of a chat.
  place text collate "C" not null,
  item_id bigint not null,
  -- This wallet has pinned it.
  walletaddr text collate "C" not null,
  -- This is true when only that wallet sees the pin, and cannot notice it.
  unseen boolean not null default false,
  ms bigint not null,
  -- Of a message there is one pin that all see, or one of each wallet whose pin only that wallet sees.
  primary key (bucket, place, item_id, walletaddr)
);
-- This finds the pin of a message that is deleted.
create index pins_item on pins (bucket, item_id);
-- This finds the pins of a wallet, for its export and its erasure.
create index pins_wallet on pins (walletaddr, item_id);

-- Pins a message of a place whose row the caller has locked, or removes the pin. Returns `too-many` where the place has fifty,
-- `same` where nothing changes, `unseen` where only the wallet sees a difference, and otherwise `seen`.
create function change_pin_v1(p_ms bigint, p_bucket integer, p_place text, p_id bigint, p_wallet text, p_pinned boolean, p_unseen boolean) returns text
language plpgsql as $$
declare
  is_pinned boolean;
  pinned integer;
  was_unseen boolean;
begin
  select coalesce(bool_or(item_id = p_id), false), count(*) into is_pinned, pinned
  from pins where bucket = p_bucket and place = p_place and (not unseen or walletaddr = p_wallet);
  if is_pinned = p_pinned then
    return 'same';
  end if;
  if not p_pinned then
    delete from pins where bucket = p_bucket and place = p_place and item_id = p_id and (not unseen or walletaddr = p_wallet)
    returning unseen into was_unseen;
    return case when was_unseen then 'unseen' else 'seen' end;
  end if;
  if pinned >= 50 then
    return 'too-many';
  end if;
  -- Pins that only other wallets see give way to one that all see.
  if not p_unseen then
    delete from pins where bucket = p_bucket and place = p_place and item_id = p_id;
  end if;
  insert into pins (bucket, place, item_id, walletaddr, unseen, ms) values (p_bucket, p_place, p_id, p_wallet, p_unseen, p_ms);
  return case when p_unseen then 'unseen' else 'seen' end;
end $$;

-- Pins a direct message, or removes its pin. Returns why it is refused, in the words of react_to_message_v1; or null.
create function pin_message_v1(
  p_ms bigint, p_bucket integer, p_conversation_id bigint, p_id bigint, p_wallet text, p_pinned boolean, p_unseen boolean, p_event jsonb
) returns text language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket, p_bucket]);
  c conversations;
  outcome text;
  is_a boolean;
  is_unseen boolean;
begin
  select * into c from conversations where bucket = p_bucket and id = p_conversation_id for update;
  is_a := c.a = p_wallet;
  perform from direct_messages
  where bucket = p_bucket and conversation_id = p_conversation_id and id = p_id and p_wallet in (fromaddr, toaddr)
    and id > case when is_a then c.erased_a else c.erased_b end
    and not case when fromaddr = p_wallet then hidden_from_sender else hidden_from_recipient end;
  if not found then
    return 'none';
  end if;
  if p_pinned and c.a <> c.b then
    if (case when is_a then c.blocked_a else c.blocked_b end) then
      return 'blocked';
    end if;
    if (case when is_a then c.state_a else c.state_b end) <> 1 then
      return 'request';
    end if;
  end if;
  -- The other wallet does not see what a wallet pins that it has blocked or not accepted.
  is_unseen := p_unseen or c.a <> c.b and case when is_a then c.blocked_b or c.state_b <> 1 else c.blocked_a or c.state_a <> 1 end;
  outcome := change_pin_v1(p_ms, p_bucket, c.a || ' ' || c.b, p_id, p_wallet, p_pinned, is_unseen);
  if outcome in ('seen', 'unseen') then
    update direct_messages set marks = marks | 4
    where bucket = p_bucket and conversation_id = p_conversation_id and id = p_id and marks & 4 = 0;
    perform announce_v1(p_ms, p_bucket, drawn,
      case when outcome = 'unseen' then array[p_wallet] else array(select distinct unnest(array[c.a, c.b])) end, p_event);
  end if;
  return case when outcome = 'too-many' then outcome end;
end $$;

-- Does the same in a chat, for its moderators. One row notifies all members.
create function pin_post_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_id bigint, p_wallet text, p_pinned boolean, p_unseen boolean, p_event jsonb
) returns text language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket]);
  outcome text;
begin
  perform from group_chats where bucket = p_bucket and chat = p_chat for update;
  perform from group_messages where bucket = p_bucket and chat = p_chat and id = p_id and removed_by is null;
  if not found then
    return 'none';
  end if;
  outcome := change_pin_v1(p_ms, p_bucket, p_chat, p_id, p_wallet, p_pinned, p_unseen);
  if outcome in ('seen', 'unseen') then
    update group_messages set marks = marks | 4 where bucket = p_bucket and chat = p_chat and id = p_id and marks & 4 = 0;
    perform announce_v1(p_ms, p_bucket, drawn,
      array['chat ' || p_chat || case when outcome = 'unseen' then ' ' || p_wallet else '' end], p_event);
  end if;
  return case when outcome = 'too-many' then outcome end;
end $$;

-- Deletes the pins of a wallet on some messages of a bucket, and announces it. This is for its erasure.
create function erase_pins_v1(
  p_ms bigint, p_bucket integer, p_ids bigint[], p_wallet text, p_event jsonb, p_chat_event jsonb
) returns void language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array_fill(p_bucket, array[cardinality(p_ids)]));
  seen bigint[];
begin
  select array_agg(item_id) into seen from pins
  where bucket = p_bucket and item_id = any (p_ids) and walletaddr = p_wallet and not unseen;
  delete from pins where bucket = p_bucket and item_id = any (p_ids) and walletaddr = p_wallet;
  perform announce_erased_v1(p_ms, p_bucket, drawn, seen, p_wallet, p_event, p_chat_event);
end $$;

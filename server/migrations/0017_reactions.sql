-- Reactions to messages, and pinned messages. They lie in the bucket of their message, which is found by its id alone.

-- This is the set of reactions of one wallet to one message.
create table reactions (
  bucket integer not null,
  item_id bigint not null,
  walletaddr text collate "C" not null,
  -- These are emoji; in an encrypted conversation it is one sealed value.
  vals text[] not null,
  -- This is true when only the wallet itself sees them, and cannot notice it: they are in no count.
  unseen boolean not null default false,
  ms bigint not null,
  -- At this time the wallet last added a value that others see: taking one back leaves it, so that it notifies nobody.
  added_ms bigint not null default 0,
  primary key (bucket, item_id, walletaddr)
);
-- This finds the reactions of a wallet, for its own lists, its export and its erasure.
create index reactions_wallet on reactions (walletaddr, item_id);

-- This counts the wallets that have reacted with a value; sealed values are not counted.
create table reaction_counts (
  bucket integer not null,
  item_id bigint not null,
  value text collate "C" not null,
  n integer not null check (n > 0),
  primary key (bucket, item_id, value)
) with (fillfactor = 70); -- a count changes with every reaction: room for updates that touch no index

-- Deletes all that belongs to some messages of a bucket, in the transaction that deletes the messages.
create function forget_marks_v1(p_bucket integer, p_ids bigint[]) returns void language plpgsql as $$
begin
  -- An erasure locks these in the same order.
  perform from reaction_counts where bucket = p_bucket and item_id = any (p_ids) order by item_id, value for update;
  delete from reaction_counts where bucket = p_bucket and item_id = any (p_ids);
  delete from reactions where bucket = p_bucket and item_id = any (p_ids);
  delete from pins where bucket = p_bucket and item_id = any (p_ids);
  perform forget_files_v1(p_bucket, p_ids);
  perform forget_words_v1(p_bucket, p_ids);
end $$;

-- Returns a value with the number of wallets that have reacted with it, in the JSON of lists. `mine` comes first, as lists of posts
-- add it: a wallet whose reactions nobody else sees gets the same text as any other.
create function reaction_item_v1(value text, n bigint, mine boolean) returns text language sql immutable parallel safe as $$
  select case when mine then '{"mine":true,"value":' else '{"value":' end || to_json(value)::text || ',"count":' || n || '}'
$$;

-- Writes the reactions to a direct message into its row, as its sender and as its recipient see them. The caller has locked the row
-- before it changed the reactions: a deletion locks them in the same order.
create function show_message_reactions_v1(
  p_bucket integer, p_conversation_id bigint, p_id bigint, p_from text, p_to text
) returns void language plpgsql as $$
declare
  shown text[];
begin
  -- A value that its wallet alone sees counts for that wallet.
  select array_agg(s.shown order by s.place) into shown from (
    select v.place, '[' || string_agg(reaction_item_v1(v.value, v.n, v.mine), ',' order by v.n desc, v.value)
      filter (where v.value is not null) || ']' as shown
    from (
      select e.place, u.value collate "C" as value, count(*) as n, bool_or(r.walletaddr = e.wallet) as mine
      from (values (1, p_from), (2, p_to)) as e (place, wallet)
      left join reactions r on r.bucket = p_bucket and r.item_id = p_id and (not r.unseen or r.walletaddr = e.wallet)
      left join lateral unnest(r.vals) as u (value) on true
      group by 1, 2
    ) v group by v.place
  ) s;
  update direct_messages set marks = marks | 2, reacted = nullif(shown, array[null, null])
  where bucket = p_bucket and conversation_id = p_conversation_id and id = p_id;
end $$;

-- Writes the reactions to a post into its row, as those see them who have not reacted. The caller has locked the row.
create function show_post_reactions_v1(p_bucket integer, p_chat text, p_id bigint) returns void language plpgsql as $$
declare
  shown text;
begin
  select '[' || string_agg(reaction_item_v1(value, n, false), ',' order by n desc, value) || ']' into shown
  from reaction_counts where bucket = p_bucket and item_id = p_id;
  update group_messages set marks = marks | 2, reacted = shown where bucket = p_bucket and chat = p_chat and id = p_id;
end $$;

-- Stores the set of reactions of a wallet to a message, which replaces its earlier set; an empty set deletes it. The caller holds
-- the lock of the conversation or the chat. Returns `seen` when others see a difference, `unseen` when only the wallet does, `same`
-- when nothing changes, and `too-many` when the message would have more than 20 kinds.
create function replace_reactions_v1(
  p_ms bigint, p_bucket integer, p_id bigint, p_wallet text, p_vals text[], p_unseen boolean, p_sealed boolean
) returns text language plpgsql as $$
declare
  old_vals text[];
  was_unseen boolean;
  was_sealed boolean;
  gone text[];
  added text[];
  kinds integer;
begin
  select vals, unseen into old_vals, was_unseen from reactions
  where bucket = p_bucket and item_id = p_id and walletaddr = p_wallet;
  if coalesce(old_vals, '{}') = p_vals and (old_vals is null or was_unseen = p_unseen) then
    return 'same';
  end if;
  -- A message in the clear may have become an encrypted one since: then emoji are gone that were counted. A sealed value is longer.
  was_sealed := octet_length(old_vals[1]) > 32;
  if not p_sealed or not was_sealed then
    gone := case when was_unseen or was_sealed then '{}' else coalesce(old_vals, '{}') end;
    added := case when p_unseen or p_sealed then '{}' else p_vals end;
    -- An erasure locks these in the same order.
    perform from reaction_counts
    where bucket = p_bucket and item_id = p_id and value = any (gone || added) order by value for update;
    -- These are counted before anything is written. What the wallet alone sees counts for it too, so that it cannot notice it.
    select count(*) into kinds from (
      select value from reaction_counts where bucket = p_bucket and item_id = p_id and not (n = 1 and value = any (gone))
      union select unnest(p_vals)
    ) k;
    if kinds > 20 and not p_sealed then
      return 'too-many';
    end if;
    delete from reaction_counts
    where bucket = p_bucket and item_id = p_id and n = 1 and value = any (gone) and not value = any (added);
    update reaction_counts set n = n - 1
    where bucket = p_bucket and item_id = p_id and value = any (gone) and not value = any (added);
    insert into reaction_counts as r (bucket, item_id, value, n)
    select l.bucket, p_id, u.value, 1 from buckets l cross join unnest(added) as u (value)
    where l.bucket = p_bucket and not u.value = any (gone)
    on conflict (bucket, item_id, value) do update set n = r.n + 1;
  end if;
  if p_vals = '{}' then
    delete from reactions where bucket = p_bucket and item_id = p_id and walletaddr = p_wallet;
  else
    -- A sealed value may be a part of the one before, so only the first one counts as added.
    insert into reactions as r (bucket, item_id, walletaddr, vals, unseen, ms, added_ms)
    values (p_bucket, p_id, p_wallet, p_vals, p_unseen, p_ms, p_ms)
    on conflict (bucket, item_id, walletaddr) do update set vals = excluded.vals, unseen = excluded.unseen, ms = excluded.ms,
      added_ms = case
        when not r.unseen and (excluded.vals <@ r.vals or p_sealed and was_sealed) then r.added_ms else excluded.added_ms end;
  end if;
  return case when p_unseen and (old_vals is null or was_unseen) then 'unseen' else 'seen' end;
end $$;

-- Sets the reactions of a wallet to a direct message. Returns why they are refused, or null:
--   none      the wallet sees no such message
--   request   the wallet has not accepted the conversation
--   blocked   the wallet has blocked the other one
--   plain     the conversation's message is in the clear, and the value is sealed
--   sealed    the message is encrypted, and the values are in the clear
--   too-many  the message would have more than 20 kinds
-- Where the other wallet has blocked this one or has not accepted the conversation, only this one sees its reactions.
create function react_to_message_v1(
  p_ms bigint, p_bucket integer, p_conversation_id bigint, p_id bigint, p_wallet text, p_vals text[], p_sealed boolean,
  p_unseen boolean, p_event jsonb, p_own_event jsonb
) returns text language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket, p_bucket]);
  c conversations;
  m direct_messages;
  is_a boolean;
  is_unseen boolean;
  peer text;
  outcome text;
begin
  select * into c from conversations where bucket = p_bucket and id = p_conversation_id for update;
  is_a := c.a = p_wallet;
  peer := case when is_a then c.b else c.a end;
  select * into m from direct_messages
  where bucket = p_bucket and conversation_id = p_conversation_id and id = p_id and p_wallet in (fromaddr, toaddr)
    and id > case when is_a then c.erased_a else c.erased_b end
    and not case when fromaddr = p_wallet then hidden_from_sender else hidden_from_recipient end
  for update;
  if not found then
    return 'none';
  end if;
  if p_vals <> '{}' then
    if c.a <> c.b and (case when is_a then c.blocked_a else c.blocked_b end) then
      return 'blocked';
    end if;
    if c.a <> c.b and (case when is_a then c.state_a else c.state_b end) <> 1 then
      return 'request';
    end if;
    if p_sealed and m.encrypted_sym_x_key is null then
      return 'plain';
    end if;
    if not p_sealed and m.encrypted_sym_x_key is not null then
      return 'sealed';
    end if;
  end if;
  is_unseen := p_unseen or c.a <> c.b and (
    m.withheld or case when is_a then c.blocked_b or c.state_b <> 1 else c.blocked_a or c.state_a <> 1 end);
  outcome := replace_reactions_v1(
    p_ms, p_bucket, p_id, p_wallet, p_vals, is_unseen, m.encrypted_sym_x_key is not null);
  if outcome = 'too-many' then
    return outcome;
  end if;
  if outcome <> 'same' then
    perform show_message_reactions_v1(p_bucket, p_conversation_id, p_id, m.fromaddr, m.toaddr);
    perform announce_v1(p_ms, p_bucket, drawn[1:1], array[p_wallet], p_own_event);
    -- The other one gets no event of a message that it has deleted for itself.
    if outcome = 'seen' and c.a <> c.b and p_id > (case when is_a then c.erased_b else c.erased_a end)
      and not (case when m.fromaddr = peer then m.hidden_from_sender else m.hidden_from_recipient end) then
      perform announce_v1(p_ms, p_bucket, drawn[2:2], array[peer], p_event);
    end if;
  end if;
  return null;
end $$;

-- Does the same in a chat, by its members: one row notifies all of them. Only its author reacts to a withheld post. The caller holds
-- the lock of the chat, and has drawn two ids.
create function react_to_post_v1(
  p_ms bigint, p_bucket integer, p_drawn bigint[], p_chat text, p_id bigint, p_wallet text, p_vals text[], p_unseen boolean,
  p_event jsonb, p_own_event jsonb
) returns text language plpgsql as $$
declare
  is_withheld boolean := false;
  outcome text;
begin
  perform from group_messages where bucket = p_bucket and chat = p_chat and id = p_id and removed_by is null for update;
  if not found then
    perform from withheld_posts
    where bucket = p_bucket and chat = p_chat and fromaddr = p_wallet and id = p_id and removed_by is null;
    if not found then
      return 'none';
    end if;
    is_withheld := true;
  end if;
  outcome := replace_reactions_v1(p_ms, p_bucket, p_id, p_wallet, p_vals, p_unseen or is_withheld, false);
  if outcome = 'too-many' then
    return outcome;
  end if;
  if outcome <> 'same' then
    if is_withheld then
      update withheld_posts set marks = marks | 2
      where bucket = p_bucket and chat = p_chat and fromaddr = p_wallet and id = p_id and marks & 2 = 0;
    else
      perform show_post_reactions_v1(p_bucket, p_chat, p_id);
    end if;
    perform announce_v1(p_ms, p_bucket, p_drawn[1:1], array[p_wallet], p_own_event);
    perform announce_v1(p_ms, p_bucket, p_drawn[2:2],
      array['chat ' || p_chat || case when outcome = 'seen' then '' else ' ' || p_wallet end], p_event);
  end if;
  return null;
end $$;

-- Does the same for reactions in chats of one bucket, which share a commit. The values of each are joined by spaces. Ids are drawn
-- before the chats are locked, as in every function: on a cluster that locks the bucket. Chats are locked in their order.
create function react_to_posts_v1(
  p_ms bigint, p_bucket integer, p_chats text[], p_ids bigint[], p_wallets text[], p_vals text[], p_unseen boolean[],
  p_events jsonb[], p_own_events jsonb[]
) returns text[] language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array_fill(p_bucket, array[2 * cardinality(p_ids)]));
  refused text[];
begin
  perform from group_chats where bucket = p_bucket and chat = any (p_chats) order by chat for update;
  for i in 1..cardinality(p_ids) loop
    refused[i] := react_to_post_v1(p_ms, p_bucket, drawn[2 * i - 1 : 2 * i], p_chats[i], p_ids[i], p_wallets[i],
      string_to_array(p_vals[i], ' '), p_unseen[i], p_events[i], p_own_events[i]);
  end loop;
  return refused;
end $$;

-- Announces to those who see some messages of a bucket that the marks of a wallet on them are gone, which is erased: one event for
-- each message. Of a conversation it is for the other end, with its address as `toaddr`; of a chat for all members.
create function announce_erased_v1(
  p_ms bigint, p_bucket integer, p_drawn bigint[], p_ids bigint[], p_wallet text, p_event jsonb, p_chat_event jsonb
) returns void language plpgsql as $$
declare
  targets text[];
  events jsonb[];
begin
  select array_agg(t.target), array_agg(t.event) into targets, events
  from (
    select p.peer as target, p_event || jsonb_build_object('id', m.id, 'toaddr', p.peer) as event
    from direct_messages m
    join conversations c on c.bucket = p_bucket and c.id = m.conversation_id
    cross join lateral (select case when c.a = p_wallet then c.b else c.a end as peer) p
    where m.bucket = p_bucket and m.id = any (p_ids) and c.a <> c.b
      and m.id > case when c.a = p_wallet then c.erased_b else c.erased_a end
      and not case when m.fromaddr = p_wallet then m.hidden_from_recipient else m.hidden_from_sender end
    union all
    select 'chat ' || g.chat, p_chat_event || jsonb_build_object('id', g.id, 'nftaddr', c.nftaddr)
    from group_messages g
    join group_chats c on c.bucket = p_bucket and c.chat = g.chat
    where g.bucket = p_bucket and g.id = any (p_ids) and g.removed_by is null
  ) t;
  for n in 1 .. coalesce(cardinality(targets), 0) loop
    perform announce_v1(p_ms, p_bucket, p_drawn[n:n], targets[n:n], events[n]);
  end loop;
end $$;

-- Deletes the reactions of a wallet to some messages of a bucket, with their part of the counts, and announces it. This is for its
-- erasure.
create function erase_reactions_v1(
  p_ms bigint, p_bucket integer, p_ids bigint[], p_wallet text, p_event jsonb, p_chat_event jsonb
) returns void language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array_fill(p_bucket, array[cardinality(p_ids)]));
  ids bigint[];
  vals text[];
  numbers integer[];
  m record;
  seen bigint[];
begin
  perform from direct_messages where bucket = p_bucket and id = any (p_ids) order by id for update;
  perform from group_messages where bucket = p_bucket and id = any (p_ids) order by id for update;
  perform from reaction_counts where bucket = p_bucket and item_id = any (p_ids) order by item_id, value for update;
  select array_agg(g.item_id), array_agg(g.value), array_agg(g.n) into ids, vals, numbers
  from (
    select r.item_id, v.value, count(*)::integer as n from reactions r cross join lateral unnest(r.vals) as v (value)
    where r.bucket = p_bucket and r.item_id = any (p_ids) and r.walletaddr = p_wallet and not r.unseen
    group by r.item_id, v.value
  ) g;
  delete from reaction_counts r using unnest(ids, vals collate "C", numbers) as u (item_id, value, n)
  where r.bucket = p_bucket and r.item_id = u.item_id and r.value = u.value and r.n <= u.n;
  update reaction_counts r set n = r.n - u.n from unnest(ids, vals collate "C", numbers) as u (item_id, value, n)
  where r.bucket = p_bucket and r.item_id = u.item_id and r.value = u.value;
  select array_agg(item_id) into seen from reactions
  where bucket = p_bucket and item_id = any (p_ids) and walletaddr = p_wallet and not unseen;
  delete from reactions where bucket = p_bucket and item_id = any (p_ids) and walletaddr = p_wallet;
  for m in select conversation_id, id, fromaddr, toaddr from direct_messages where bucket = p_bucket and id = any (p_ids) loop
    perform show_message_reactions_v1(p_bucket, m.conversation_id, m.id, m.fromaddr, m.toaddr);
  end loop;
  for m in select chat, id from group_messages where bucket = p_bucket and id = any (p_ids) loop
    perform show_post_reactions_v1(p_bucket, m.chat, m.id);
  end loop;
  perform announce_erased_v1(p_ms, p_bucket, drawn, seen, p_wallet, p_event, p_chat_event);
end $$;

-- Direct messages have a row per conversation, a row per message, and three statements that write them.

-- Each pair of wallets has one row. `a` is the lesser address in byte order, so the pair is the same from either end. The row has
-- what an inbox shows, so that no read counts messages or searches for the last one. Every write to a conversation locks it
-- first, so its messages become visible in the order of their ids and times.
create table conversations (
  bucket integer not null,
  a text collate "C" not null,
  b text collate "C" not null,
  id bigint not null,
  -- The conversation began at this time and by this end. The statement that stores messages sees by the time whether the row is
  -- new.
  began_ms bigint not null default 0,
  began_by_a boolean,
  -- This is the time of the newest message ever sent, deleted or not: the next one is later.
  last_ms bigint not null,
  unread_a integer not null default 0 check (unread_a >= 0),
  unread_b integer not null default 0 check (unread_b >= 0),
  -- No message to a wallet with a lesser id is unread. Reading up to an id begins there.
  unread_since_a bigint not null default 0,
  unread_since_b bigint not null default 0,
  -- Up to this id a wallet has erased its side. Messages that neither end can see are deleted.
  erased_a bigint not null default 0,
  erased_b bigint not null default 0,
  -- An end that erased its account had written up to this id: that no longer counts as an answer. Messages that an end deletes
  -- for itself alone (`erased_a`) do not concern the other end.
  left_a bigint not null default 0,
  left_b bigint not null default 0,
  -- All messages were last deleted for both ends at this time, and by this end.
  emptied_ms bigint,
  emptied_by_a boolean,
  -- This is true when the other end could see none of them: it gets no event.
  emptied_unseen boolean not null default false,
  -- This is what each end has decided about the other: 0 unknown, 1 accepted, 2 ignored. A wallet that writes has accepted.
  state_a smallint not null default 0,
  state_b smallint not null default 0,
  -- This is true when an end has blocked the other. It is apart from the state, so that the earlier state is there again
  -- afterwards.
  blocked_a boolean not null default false,
  blocked_b boolean not null default false,
  -- Counts what an end has written while it was a request to the other: messages, and bytes.
  asked_a smallint not null default 0,
  asked_b smallint not null default 0,
  asked_bytes_a integer not null default 0,
  asked_bytes_b integer not null default 0,
  -- No message that is withheld from a wallet and unread has a lesser id; it is null when there never was one.
  withheld_since_a bigint,
  withheld_since_b bigint,
  -- This is a copy of the newest message. `last_item` is a part of the JSON of an inbox row; it is null when the message is long,
  -- deleted, or one of several that were sent at once. It is shown when it is of the newest message (`copy_ms` is `last_ms`) and
  -- of the shape that the reading release knows (`copy_version`).
  last_id bigint,
  last_item text,
  copy_ms bigint,
  copy_version integer,
  last_is_from_a boolean,
  last_read boolean,
  primary key (bucket, a, b),
  check (a <= b)
) with (fillfactor = 70); -- counters change with every message: room for updates that touch no index

-- This finds the conversation of a message.
create unique index conversations_id on conversations (bucket, id);
-- These find the inbox of a wallet, from either end of the pair, and its parts: so a wallet with thousands of requests reads only
-- what it has accepted. No send but the first answer changes these columns. Each part is in the order of addresses.
create index conversations_a on conversations (a, state_a, blocked_a, b);
create index conversations_b on conversations (b, state_b, blocked_b, a);

create table direct_messages (
  bucket integer not null,
  conversation_id bigint not null,
  id bigint not null,
  fromaddr text collate "C" not null,
  toaddr text collate "C" not null,
  message text not null,
  nftaddr text collate "C",
  nftid text collate "C",
  encrypted_sym_x_key text,
  x_access_conditions text,
  read boolean not null default false,
  -- This is true when an end has deleted it for itself alone; its recipient can only when it is read. A message that both have
  -- deleted is gone.
  hidden_from_sender boolean not null default false,
  hidden_from_recipient boolean not null default false,
  -- This is true when it is hidden from its recipient from the start, and unread: it never counts, and its sender cannot notice
  -- it.
  withheld boolean not null default false,
  ms bigint not null,
  -- This says what a list has besides: 1 an edit, 2 reactions, 4 a pin, 8 a reply, 16 an edit that only its author sees, 32
  -- files. It is not taken back where those are.
  marks smallint not null default 0,
  -- This is the id of the message of the conversation that it replies to. That message may be deleted since.
  reply_to bigint,
  -- These are its reactions in the JSON of lists, as its sender and as its recipient see them; null for none (0017).
  reacted text[],
  -- These say how often and when it was edited, null for never; what stood before; and what its author alone sees (0019).
  rev smallint,
  edited_ms bigint,
  edits jsonb,
  own jsonb,
  -- This is what the message shows of its files (0020); null without any.
  files jsonb,
  primary key (bucket, conversation_id, id)
);

-- This is for the log of one machine, in the order of ids; and for a message by its id.
create index direct_messages_id on direct_messages (id);
-- This is for polling with the last timestamp.
create index direct_messages_ms on direct_messages (bucket, conversation_id, ms);
-- This finds what the other side has read.
create index direct_messages_read on direct_messages (bucket, conversation_id, fromaddr, id) where read;
-- This finds everything that a wallet sent or received, merged by id.
create index direct_messages_from on direct_messages (fromaddr, id);
create index direct_messages_to on direct_messages (toaddr, id);
-- These find the NFT contexts: of a wallet, of a wallet and a token, of a pair and a token.
create index direct_messages_nft_from on direct_messages (fromaddr, id) where nftaddr is not null;
create index direct_messages_nft_to on direct_messages (toaddr, id) where nftaddr is not null;
create index direct_messages_token_from on direct_messages (fromaddr, nftaddr, nftid, id) where nftaddr is not null;
create index direct_messages_token_to on direct_messages (toaddr, nftaddr, nftid, id) where nftaddr is not null;
create index direct_messages_token_conversation on direct_messages (bucket, conversation_id, nftaddr, nftid, id)
  where nftaddr is not null;
-- This finds unread messages in one NFT context.
create index direct_messages_token_unread on direct_messages (toaddr, nftaddr, nftid, conversation_id, id)
  where nftaddr is not null and not read;

-- This finds what one end has deleted for itself: the other end needs it when it erases its side.
create index direct_messages_hidden on direct_messages (bucket, conversation_id, id)
  where hidden_from_sender or hidden_from_recipient;
-- This finds texts that only their author sees: they are deleted when the author sees the message no longer.
create index direct_messages_own on direct_messages (bucket, conversation_id, id) where marks & 16 <> 0;

-- Returns the beginning of a text of more than `bytes` bytes: at most as many, cut between two characters. Only that part of the
-- text is read from the disk.
create function preview_v1(value text, bytes integer) returns text language plpgsql immutable strict parallel safe as $$
declare
  -- No character is shorter than a byte, so this is enough.
  shown constant bytea := convert_to(left(value, bytes), 'UTF8');
  until integer := bytes;
begin
  if length(shown) <= bytes then
    return left(value, bytes);
  end if;
  -- All bytes of a character but the first are 10xxxxxx (RFC 3629).
  while get_byte(shown, until) & 192 = 128 loop
    until := until - 1;
  end loop;
  return convert_from(substring(shown for until), 'UTF8');
end $$;

-- Checks a message to a recipient that does not accept messages from everyone: returns why it is refused, in the words of
-- send_direct_message_v1, and else whether it counts as a request. Then the conversation is locked, also for its first messages.
create function ask_recipient_v1(
  p_bucket integer, p_a text, p_b text, p_from_a boolean, p_size integer, p_has_files boolean, p_drawn bigint, p_policy text,
  p_holder text, p_may_ask boolean
) returns table (refused text, counts boolean) language plpgsql as $$
declare
  known record;
  new_id bigint;
begin
  select c.began_ms, case when p_from_a then c.state_b else c.state_a end as state into known
  from conversations c where c.bucket = p_bucket and c.a = p_a and c.b = p_b;
  counts := known.state is distinct from 1 and p_holder is distinct from 'holder';
  refused := case
    when known.state = 1 then null
    when p_policy = 'contacts' then 'not-accepting'
    when p_policy <> 'requests' and p_holder is null then 'holders'
    when counts and (p_size > 16384 or p_has_files) then 'pending'
    when not p_may_ask and coalesce(known.began_ms, 0) = 0 then 'first'
  end;
  if refused is null and counts then
    -- There must be a row to lock, or many first messages at once would not see each other.
    new_id := next_id_v1(p_bucket, p_drawn);
    insert into conversations (bucket, a, b, id, last_ms) values (p_bucket, p_a, p_b, new_id, 0)
    on conflict (bucket, a, b) do nothing;
    select * into known from conversations c where c.bucket = p_bucket and c.a = p_a and c.b = p_b for update;
    refused := case when p_from_a and (known.asked_a >= 5 or known.asked_bytes_a + p_size > 16384)
      or not p_from_a and (known.asked_b >= 5 or known.asked_bytes_b + p_size > 16384) then 'pending' end;
  end if;
  return next;
end $$;

-- Handles what few sends need: the message is withheld, it is the first one in a row that was there before, or it counts as a
-- request of this many bytes. The row of the conversation is locked.
create function settle_special_v1(
  p_ms bigint, p_bucket integer, p_a text, p_b text, p_from_a boolean, p_id bigint, p_begins boolean, p_withheld boolean, p_size integer
) returns void language sql as $$
  update conversations c set
    began_ms = case when p_begins then p_ms else c.began_ms end,
    began_by_a = case when p_begins then p_from_a else c.began_by_a end,
    unread_a = c.unread_a - (p_withheld and not p_from_a)::integer,
    unread_b = c.unread_b - (p_withheld and p_from_a)::integer,
    last_item = case when not p_withheld then c.last_item end,
    withheld_since_a = case when p_withheld and not p_from_a then least(c.withheld_since_a, p_id) else c.withheld_since_a end,
    withheld_since_b = case when p_withheld and p_from_a then least(c.withheld_since_b, p_id) else c.withheld_since_b end,
    asked_a = c.asked_a + (p_from_a and p_size is not null)::integer,
    asked_b = c.asked_b + (not p_from_a and p_size is not null)::integer,
    asked_bytes_a = c.asked_bytes_a + case when p_from_a then coalesce(p_size, 0) else 0 end,
    asked_bytes_b = c.asked_bytes_b + case when p_from_a then 0 else coalesce(p_size, 0) end
  where c.bucket = p_bucket and c.a = p_a and c.b = p_b;
$$;

-- Stores one message. It returns one row: its id, time and sender's name (JSON), and whether it began a conversation with
-- another wallet; or why it was not stored:
--   too-fast       the conversation's time would be more than two seconds ahead of the clock
--   stranger       it would begin a conversation, and `p_may_begin` is false
--   blocked        its sender has blocked its recipient
--   not-accepting  its recipient accepts messages from contacts only
--   holders        its recipient accepts messages from holders of `policy` only: call the chain, and retry with `p_holder`
--   pending        it is a request, and its recipient has not accepted the five messages or 16 KiB before; or it has files
--   first          it would begin a conversation with a recipient that does not accept messages from everyone: retry with
--                  `p_may_ask` when its sender may
--   repeated       its Idempotency-Key was used for the same request; id, time and name are those of the first
--   mismatch       its Idempotency-Key was used for another request
--   no-quoted      it replies to a message that its sender does not see in this conversation
-- `policy` is that of the recipient, null when the recipient accepts messages from everyone.
--
-- When the recipient has blocked the sender, the message is withheld: it is stored for its sender alone, who cannot notice it.
create function send_direct_message_v1(
  p_ms bigint, p_bucket integer,
  p_fromaddr text, p_toaddr text, p_message text, p_nftaddr text, p_nftid text,
  p_encrypted_sym_x_key text, p_x_access_conditions text,
  -- This is the copy for inboxes, null when it is long, and its version.
  p_copy text, p_copy_version integer,
  -- These are the caller, the Idempotency-Key, and a hash of the request; they are null without a key.
  p_caller text, p_key text, p_request bytea,
  -- Says whether the sender may begin another conversation with another wallet today; null is yes.
  p_may_begin boolean default null,
  -- This policy holds for a recipient that has chosen none.
  p_dm_default text default 'everyone',
  -- This is true when the sender may write first to another wallet that does not accept messages from everyone.
  p_may_ask boolean default false,
  -- This is what the chain says of a sender where the recipient accepts messages from holders: `holder`, `unknown` when it does
  -- not respond, null when it was not called.
  p_holder text default null,
  -- This is true when the message is withheld from its recipient, whichever wallet that is.
  p_withheld boolean default false,
  p_reply_to bigint default null,
  -- This is true when the message has files (0020), which no request may have.
  p_has_files boolean default false
) returns table (id bigint, ms bigint, sender_name text, refused text, began boolean, policy text) language plpgsql as $$
#variable_conflict use_column
declare
  drawn constant bigint := (draw_ids_v1(p_ms, array[p_bucket]))[1];
  new_id bigint;
  of_a constant text := least(p_fromaddr collate "C", p_toaddr);
  of_b constant text := greatest(p_fromaddr collate "C", p_toaddr);
  earlier record;
  moved record;
  -- These bytes count where the conversation is a request and the recipient has not accepted the sender.
  size integer;
begin
  if p_key is not null then
    select * into earlier from claim_key_v1(p_ms, p_bucket, p_caller, p_key, p_request);
    if found then
      return query select earlier.id, earlier.ms, earlier.sender_name, earlier.refused, false, null;
      return;
    end if;
  end if;
  if p_reply_to is not null then
    perform from conversations c join direct_messages m on m.bucket = c.bucket and m.conversation_id = c.id
    where c.bucket = p_bucket and c.a = of_a and c.b = of_b and m.bucket = p_bucket and m.id = p_reply_to
      and m.id > case when c.a = p_fromaddr then c.erased_a else c.erased_b end
      and not case when m.fromaddr = p_fromaddr then m.hidden_from_sender else m.hidden_from_recipient end;
    if not found then
      delete from idempotency_keys where bucket = p_bucket and caller = p_caller and key = p_key;
      return query select null::bigint, null::bigint, null, 'no-quoted', false, null;
      return;
    end if;
  end if;
  select (select p.name from profiles p where p.address = p_fromaddr), case when of_a <> of_b then
    nullif(coalesce((select p.dm_policy from profiles p where p.address = p_toaddr), p_dm_default), 'everyone') end
  into sender_name, policy;
  -- This uses as few expressions as possible where nothing is special: each transaction prepares each of them again.
  if policy is not null then
    size := octet_length(p_message) + coalesce(octet_length(p_encrypted_sym_x_key), 0)
      + coalesce(octet_length(p_x_access_conditions), 0);
    select q.refused, case when q.counts then size end into refused, size
    from ask_recipient_v1(p_bucket, of_a, of_b, p_fromaddr = of_a, size, p_has_files, drawn, policy, p_holder, p_may_ask) q;
    if refused is not null then
      delete from idempotency_keys where bucket = p_bucket and caller = p_caller and key = p_key;
      return query select null::bigint, null::bigint, null, refused, false, policy;
      return;
    end if;
  end if;
  if not p_may_begin and of_a <> of_b then
    perform from conversations where bucket = p_bucket and a = of_a and b = of_b and began_ms > 0;
    if not found then
      delete from idempotency_keys where bucket = p_bucket and caller = p_caller and key = p_key;
      return query select null::bigint, null::bigint, null, 'stranger', false, policy;
      return;
    end if;
  end if;

  -- This locks the pair and moves its time on by at least a millisecond. The id is drawn under the lock. A message of a wallet to
  -- itself is read from the start and never counts as unread.
  new_id := next_id_v1(p_bucket, drawn);
  insert into conversations as c (
    bucket, a, b, id, began_ms, began_by_a, last_ms, unread_a, unread_b, unread_since_a, unread_since_b,
    last_id, last_item, copy_ms, copy_version, last_is_from_a, last_read, state_a, state_b)
  values (p_bucket, of_a, of_b, new_id, p_ms, p_fromaddr = of_a, p_ms, (p_toaddr = of_a and of_a <> of_b)::integer,
    (p_toaddr = of_b and of_a <> of_b)::integer, new_id, new_id, new_id, p_copy, p_ms, p_copy_version, p_fromaddr = of_a,
    of_a = of_b, (p_fromaddr = of_a)::integer, (p_fromaddr = of_b)::integer)
  on conflict (bucket, a, b) do update set
    last_ms = greatest(excluded.last_ms, c.last_ms + 1),
    unread_a = c.unread_a + excluded.unread_a,
    unread_b = c.unread_b + excluded.unread_b,
    unread_since_a = case when c.unread_a = 0 then excluded.unread_since_a else c.unread_since_a end,
    unread_since_b = case when c.unread_b = 0 then excluded.unread_since_b else c.unread_since_b end,
    last_id = next_id_v1(c.bucket, excluded.last_id),
    last_item = excluded.last_item,
    copy_ms = excluded.copy_ms,
    copy_version = excluded.copy_version,
    last_is_from_a = excluded.last_is_from_a,
    last_read = excluded.last_read,
    state_a = case when excluded.state_a = 1 then 1 else c.state_a end,
    state_b = case when excluded.state_b = 1 then 1 else c.state_b end
  where c.last_ms < p_ms + 2000 and not case when excluded.last_is_from_a then c.blocked_a else c.blocked_b end
  returning c.id, c.last_ms, c.last_id, c.began_ms, (c.blocked_a or c.blocked_b or p_withheld) and c.a <> c.b as withheld,
    c.blocked_a or c.blocked_b or p_withheld or c.began_ms = 0 or size is not null as is_special
  into moved;
  if not found then
    select case when (p_fromaddr = c.a and c.blocked_a) or (p_fromaddr = c.b and c.blocked_b)
      then 'blocked' else 'too-fast' end into refused
    from conversations c where c.bucket = p_bucket and c.a = of_a and c.b = of_b;
    delete from idempotency_keys where bucket = p_bucket and caller = p_caller and key = p_key;
    return query select null::bigint, null::bigint, null, coalesce(refused, 'too-fast'), false, policy;
    return;
  end if;

  if moved.is_special then
    perform settle_special_v1(p_ms, p_bucket, of_a, of_b, p_fromaddr = of_a, moved.last_id, moved.began_ms = 0, moved.withheld, size);
  end if;
  insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, nftaddr, nftid,
    encrypted_sym_x_key, x_access_conditions, read, hidden_from_recipient, withheld, ms, reply_to, marks)
  values (p_bucket, moved.id, moved.last_id, p_fromaddr, p_toaddr, p_message, p_nftaddr, p_nftid,
    p_encrypted_sym_x_key, p_x_access_conditions, p_fromaddr = p_toaddr, moved.withheld, moved.withheld, moved.last_ms, p_reply_to,
    case when p_reply_to is null then 0 else 8 end);
  if p_key is not null then
    update idempotency_keys
    set answer = json_build_object('id', moved.last_id, 'ms', moved.last_ms, 'name', sender_name)
    where bucket = p_bucket and caller = p_caller and key = p_key;
  end if;
  return query select moved.last_id, moved.last_ms, sender_name, null,
    (moved.id = new_id or moved.began_ms = 0) and of_a <> of_b, policy;
end $$;

-- Does the same for a batch of messages, in any number of buckets. Each array has an entry for each message, and the result a row
-- for each, in their order. For 32 messages it takes half of the time of 32 calls of send_direct_message_v1; for less than four
-- it takes longer. All senders may begin conversations. This function decides on no other refusal: it returns `alone`, and
-- send_direct_message_v1 stores the message or says why not.
create function send_direct_messages_v1(
  p_ms bigint, p_bucket integer[],
  p_fromaddr text[], p_toaddr text[], p_message text[], p_nftaddr text[], p_nftid text[],
  p_encrypted_sym_x_key text[], p_x_access_conditions text[],
  p_copy text[], p_copy_version integer,
  -- These are null when no message of the batch has a key.
  p_caller text[], p_key text[], p_request bytea[],
  p_dm_default text default 'everyone'
) returns table (id bigint, ms bigint, sender_name text, refused text, began boolean) language plpgsql as $$
#variable_conflict use_column
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, p_bucket);
  keys text[] := p_key;
  policies text[];
  -- It is null when there are none.
  alone boolean[];
  goes_on boolean[];
  moved_a text[];
  moved_b text[];
  moved_conversation bigint[];
  moved_ms bigint[];
  moved_id bigint[];
  moved_began boolean[];
  begun boolean[];
  conversation_ids bigint[];
  ids bigint[];
  times bigint[];
begin
  -- These go to wallets that do not accept messages from everyone, and have not accepted the sender.
  if p_dm_default <> 'everyone' or exists (
    select 1 from profiles p where p.address = any (p_toaddr) and p.dm_policy <> 'everyone'
  ) then
    policies := array(
      select (select p.dm_policy from profiles p where p.address = u.toaddr)
      from unnest(p_toaddr) with ordinality as u (toaddr, n) order by u.n);
    select array_agg(
      coalesce(u.policy, p_dm_default) <> 'everyone' and u.fromaddr <> u.toaddr
        and coalesce(case when u.toaddr = c.a then c.state_a else c.state_b end, 0) <> 1 order by u.n)
    into alone
    from buckets l join unnest(p_bucket, p_fromaddr collate "C", p_toaddr collate "C", policies) with ordinality
      as u (bucket, fromaddr, toaddr, policy, n) on u.bucket = l.bucket
    left join conversations c
      on c.bucket = l.bucket and c.a = least(u.fromaddr, u.toaddr) and c.b = greatest(u.fromaddr, u.toaddr)
    where l.bucket = any (p_bucket);
    if true = any (alone) then
      keys := array(
        select case when not u.alone then u.key end from unnest(p_key, alone) with ordinality as u (key, alone, n) order by u.n);
      goes_on := array(select not u.alone from unnest(alone) with ordinality as u (alone, n) order by u.n);
    else
      alone := null;
    end if;
  end if;
  if p_key is not null then
    goes_on := claim_keys_v1(p_ms, p_bucket, p_caller, keys, p_request);
    if alone is not null then
      goes_on := array(
        select u.goes_on and not u.alone from unnest(goes_on, alone) with ordinality as u (goes_on, alone, n) order by u.n);
    end if;
  end if;

  -- This locks each pair and moves its time on by a millisecond per message, in the order of pairs, so that two batches cannot
  -- deadlock. The id of a single message is drawn under the lock.
  with moved as (
    insert into conversations as c (
      bucket, a, b, id, began_ms, last_ms, unread_a, unread_b, unread_since_a, unread_since_b,
      last_id, last_item, copy_ms, copy_version, last_is_from_a, last_read, state_a, state_b, began_by_a)
    select l.bucket, u.a, u.b, u.id, p_ms, p_ms + u.sent - 1, u.to_a, u.to_b, u.id, u.id,
      case when u.sent = 1 then u.id end, case when u.sent = 1 then u.item end, p_ms, p_copy_version, u.is_from_a, u.a = u.b,
      u.is_from_a::integer, u.is_from_b::integer, u.is_from_a
    from buckets l join (
      select p.*, next_id_v1(p.bucket, p.drawn) as id
      from (
        -- This is the part of each pair. A message of a wallet to itself is read from the start and never counts as unread.
        select bucket, a, b, count(*) as sent, min(drawn[n]) as drawn, max(item) as item,
          bool_or(fromaddr = a) as is_from_a, bool_or(fromaddr = b) as is_from_b,
          count(*) filter (where toaddr = a and a <> b) as to_a, count(*) filter (where toaddr = b and a <> b) as to_b
        from (
          select *, least(fromaddr, toaddr) as a, greatest(fromaddr, toaddr) as b
          from unnest(p_bucket, p_fromaddr collate "C", p_toaddr collate "C", p_copy) with ordinality
            as m (bucket, fromaddr, toaddr, item, n)
          where goes_on is null or goes_on[n]
        ) m
        group by bucket, a, b
      ) p
    ) u on u.bucket = l.bucket
    where l.bucket = any (p_bucket) order by u.bucket, u.a, u.b
    on conflict (bucket, a, b) do update set
      last_ms = greatest(excluded.last_ms, c.last_ms + excluded.last_ms - p_ms + 1),
      unread_a = c.unread_a + excluded.unread_a,
      unread_b = c.unread_b + excluded.unread_b,
      unread_since_a = case when c.unread_a = 0 then excluded.unread_since_a else c.unread_since_a end,
      unread_since_b = case when c.unread_b = 0 then excluded.unread_since_b else c.unread_since_b end,
      last_id = case when excluded.last_id is not null then next_id_v1(c.bucket, excluded.last_id) end,
      last_item = excluded.last_item,
      copy_ms = excluded.copy_ms,
      copy_version = excluded.copy_version,
      last_is_from_a = excluded.last_is_from_a,
      last_read = excluded.last_read,
      state_a = case when excluded.state_a = 1 then 1 else c.state_a end,
      state_b = case when excluded.state_b = 1 then 1 else c.state_b end
    where c.last_ms + (excluded.last_ms - p_ms) < p_ms + 2000 and not c.blocked_a and not c.blocked_b and c.began_ms > 0
    returning c.a, c.b, c.id, c.last_ms, c.last_id, c.began_ms = p_ms and c.a <> c.b as began
  )
  select array_agg(a), array_agg(b), array_agg(id), array_agg(last_ms), array_agg(last_id), array_agg(began)
  into moved_a, moved_b, moved_conversation, moved_ms, moved_id, moved_began from moved;

  -- These are the id and time of each message of a pair that was moved on. The first message of a new pair has begun it.
  select array_agg(s.conversation_id order by s.n), array_agg(s.ms order by s.n), array_agg(s.began order by s.n),
    array_agg(case when s.conversation_id is not null then coalesce(s.last_id, next_id_v1(p_bucket[s.n], drawn[s.n])) end order by s.n)
  into conversation_ids, times, begun, ids
  from (
    select u.n, v.conversation_id, v.last_id, v.last_ms - count(*) over pair + row_number() over (pair order by u.n) as ms,
      v.began and row_number() over (pair order by u.n) = 1 as began
    from (
      select *, least(fromaddr, toaddr) as a, greatest(fromaddr, toaddr) as b, goes_on is null or goes_on[n] as goes_on
      from unnest(p_fromaddr collate "C", p_toaddr collate "C") with ordinality as m (fromaddr, toaddr, n)
    ) u left join unnest(moved_a collate "C", moved_b collate "C", moved_conversation, moved_ms, moved_id, moved_began)
      as v (a, b, conversation_id, last_ms, last_id, began) on v.a = u.a and v.b = u.b and u.goes_on
    window pair as (partition by u.a, u.b, u.goes_on)
    order by u.n
  ) s;

  insert into direct_messages (bucket, conversation_id, id, fromaddr, toaddr, message, nftaddr, nftid,
    encrypted_sym_x_key, x_access_conditions, read, ms)
  select l.bucket, u.conversation_id, u.id, u.fromaddr, u.toaddr, u.message, u.nftaddr, u.nftid,
    u.encrypted_sym_x_key, u.x_access_conditions, u.fromaddr = u.toaddr, u.ms
  from buckets l join unnest(p_bucket, conversation_ids, ids, p_fromaddr, p_toaddr, p_message, p_nftaddr, p_nftid,
    p_encrypted_sym_x_key, p_x_access_conditions, times)
    as u (bucket, conversation_id, id, fromaddr, toaddr, message, nftaddr, nftid, encrypted_sym_x_key, x_access_conditions, ms)
    on u.bucket = l.bucket
  where l.bucket = any (p_bucket) and u.id is not null;

  -- Where one of a pair has blocked the other, or the pair had a row before its first message, each message goes by itself.
  if array_position(ids, null) is not null then
    select array_agg(coalesce(alone[u.n], false) or (u.id is null and coalesce(c.blocked_a or c.blocked_b or c.began_ms = 0, false)) order by u.n)
    into alone
    from buckets l join unnest(p_bucket, p_fromaddr collate "C", p_toaddr collate "C", ids) with ordinality
      as u (bucket, fromaddr, toaddr, id, n) on u.bucket = l.bucket
    left join conversations c
      on c.bucket = l.bucket and c.a = least(u.fromaddr, u.toaddr) and c.b = greatest(u.fromaddr, u.toaddr)
    where l.bucket = any (p_bucket);
  end if;
  if p_key is null then
    return query select u.id, u.ms, u.name,
        case when u.id is null then case when alone[u.n] then 'alone' else 'too-fast' end end, u.began
      from unnest(ids, times, names_of_v1(p_fromaddr), begun) with ordinality as u (id, ms, name, began, n)
      order by u.n;
  else
    return query
      select a.id, a.ms, a.sender_name,
        case when a.id is null and alone[a.n] and a.refused = 'too-fast' then 'alone' else a.refused end, begun[a.n]
      from answer_keys_v1(p_ms, p_bucket, p_caller, keys, p_request, goes_on, ids, times, p_fromaddr)
        with ordinality as a (id, ms, sender_name, refused, n)
      order by a.n;
  end if;
end $$;

-- Sets the read flag of a message for its recipient. The unread counter follows when the flag really changes, so counts
-- equal a recount in any order of concurrent calls. A message that its recipient has erased no longer counts.
create function mark_direct_message_v1(
  p_ms bigint, p_bucket integer, p_conversation_id bigint, p_id bigint, p_read boolean, p_event jsonb
) returns void language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket, p_bucket]);
  c conversations;
  m direct_messages;
  withheld bigint;
begin
  select * into c from conversations where bucket = p_bucket and id = p_conversation_id for update;
  update direct_messages set read = p_read
  where bucket = p_bucket and conversation_id = p_conversation_id and id = p_id and read <> p_read and fromaddr <> toaddr
    and not hidden_from_recipient and id > case when toaddr = c.a then c.erased_a else c.erased_b end
  returning * into m;
  if not found then
    return;
  end if;
  update conversations set
    unread_a = unread_a + case when m.toaddr <> a then 0 when p_read then -1 else 1 end,
    unread_b = unread_b + case when m.toaddr <> b then 0 when p_read then -1 else 1 end,
    unread_since_a = case when p_read or m.toaddr <> a then unread_since_a when unread_a = 0 then p_id else least(unread_since_a, p_id) end,
    unread_since_b = case when p_read or m.toaddr <> b then unread_since_b when unread_b = 0 then p_id else least(unread_since_b, p_id) end,
    last_read = case when last_id = p_id then p_read else last_read end
  where bucket = p_bucket and a = c.a and b = c.b;
  perform announce_v1(p_ms, p_bucket, drawn, array[m.fromaddr, m.toaddr], p_event);
  -- Earlier withheld messages count as read too, so that their sender sees no gap.
  if p_read and (case when m.toaddr = c.a then c.withheld_since_a else c.withheld_since_b end) < p_id then
    for withheld in
      update direct_messages set read = true
      where bucket = p_bucket and conversation_id = p_conversation_id and id = any (array(
        select o.id from direct_messages o
        where o.bucket = p_bucket and o.conversation_id = p_conversation_id and o.id < p_id
          and o.id >= case when m.toaddr = c.a then c.withheld_since_a else c.withheld_since_b end
          and o.withheld and not o.read and o.toaddr = m.toaddr
        order by o.bucket, o.conversation_id, o.id limit 200))
      returning id
    loop
      perform announce_v1(p_ms, p_bucket, draw_ids_v1(p_ms, array[p_bucket]), array[m.fromaddr],
        p_event || jsonb_build_object('id', withheld));
    end loop;
  end if;
end $$;

-- Marks what a wallet has received from a peer as read, up to an id; where an NFT is given, only messages about it. It reads at
-- most `p_most` messages, the oldest first, and notifies both ends once. It returns how far it came, which is `p_to` when that is
-- all, and how many messages of the conversation are still unread. Withheld messages are marked as well, so that their sender
-- sees no gap; only the sender is notified of that. Messages that the wallet had erased stay as they were: the event says after
-- which message it begins.
create function read_conversation_to_v1(
  p_ms bigint, p_bucket integer, p_reader text, p_peer text, p_to bigint, p_nftaddr text, p_nftid text, p_most integer, p_event jsonb
) returns table (id bigint, unread integer) language plpgsql as $$
#variable_conflict use_column
declare
  of_a constant text := least(p_reader collate "C", p_peer);
  of_b constant text := greatest(p_reader collate "C", p_peer);
  drawn bigint[];
  c conversations;
  is_a constant boolean := p_reader = of_a;
  unread_since bigint;
  withheld_since bigint;
  erased bigint;
  looked_at integer;
  reached bigint;
  marked bigint[];
  -- These are the ones that the wallet can see.
  shown bigint[];
begin
  select * into c from conversations where bucket = p_bucket and a = of_a and b = of_b;
  unread := coalesce(case when is_a then c.unread_a else c.unread_b end, 0);
  withheld_since := case when is_a then c.withheld_since_a else c.withheld_since_b end;
  if unread = 0 and coalesce(withheld_since > p_to, true) then
    return query select p_to, 0;
    return;
  end if;

  drawn := draw_ids_v1(p_ms, array[p_bucket, p_bucket]);
  select * into c from conversations where bucket = p_bucket and a = of_a and b = of_b for update;
  unread := case when is_a then c.unread_a else c.unread_b end;
  withheld_since := case when is_a then c.withheld_since_a else c.withheld_since_b end;
  unread_since := coalesce(
    least(case when unread > 0 then case when is_a then c.unread_since_a else c.unread_since_b end end, withheld_since), p_to + 1);
  erased := case when is_a then c.erased_a else c.erased_b end;
  if p_nftaddr is null then
    -- This follows the order of the index, as the lists do (server/src/features/direct-messages/lists.ts).
    select count(*), max(m.id), array_agg(m.id order by m.id) filter (where not m.read and m.toaddr = p_reader),
      array_agg(m.id order by m.id) filter (where not m.read and m.toaddr = p_reader and not m.hidden_from_recipient)
    into looked_at, reached, marked, shown
    from (select k.bucket, k.id from conversations k where k.bucket = p_bucket and k.a = of_a and k.b = of_b offset 0) k
    cross join lateral (
      select o.id, o.toaddr, o.read, o.hidden_from_recipient from direct_messages o
      where o.bucket = p_bucket and o.conversation_id = k.id and o.id >= greatest(unread_since, erased + 1)
        and (o.id, o.bucket) < (p_to + 1, 0)
      order by o.bucket, o.conversation_id, o.id limit p_most
    ) m;
  else
    select count(*), max(m.id), array_agg(m.id order by m.id),
      array_agg(m.id order by m.id) filter (where not m.hidden_from_recipient)
    into looked_at, reached, marked, shown
    from (
      select o.id, o.hidden_from_recipient from direct_messages o
      where o.bucket = p_bucket and o.conversation_id = c.id and o.id > erased and (o.id, o.bucket) < (p_to + 1, 0)
        and o.toaddr = p_reader and o.nftaddr = p_nftaddr and o.nftid = p_nftid and not o.read
      order by o.toaddr, o.nftaddr, o.nftid, o.conversation_id, o.id limit p_most
    ) m;
  end if;
  if looked_at < p_most or (withheld_since is null and cardinality(marked) = unread) then
    reached := p_to;
  end if;

  -- The range goes from the first to the last of them, so that it reads the index once.
  if p_nftaddr is null then
    update direct_messages set read = true
    where bucket = p_bucket and conversation_id = c.id and id >= marked[1] and id <= marked[cardinality(marked)]
      and toaddr = p_reader and not read;
  else
    update direct_messages set read = true
    where bucket = p_bucket and conversation_id = c.id and id >= marked[1] and id <= marked[cardinality(marked)]
      and toaddr = p_reader and nftaddr = p_nftaddr and nftid = p_nftid and not read;
  end if;
  unread := unread - coalesce(cardinality(shown), 0);
  update conversations set
    unread_a = case when is_a then unread else unread_a end,
    unread_b = case when is_a then unread_b else unread end,
    unread_since_a = case when is_a and p_nftaddr is null then greatest(unread_since, reached + 1) else unread_since_a end,
    unread_since_b = case when is_a or p_nftaddr is not null then unread_since_b else greatest(unread_since, reached + 1) end,
    withheld_since_a = case when is_a and p_nftaddr is null and withheld_since_a <= reached then reached + 1 else withheld_since_a end,
    withheld_since_b = case when not is_a and p_nftaddr is null and withheld_since_b <= reached then reached + 1 else withheld_since_b end,
    last_read = last_read or coalesce(last_id = any (marked), false)
  where bucket = p_bucket and a = of_a and b = of_b;
  p_event := p_event || case when erased > 0 then jsonb_build_object('after', erased) else '{}' end;
  if marked = shown then
    perform announce_v1(
      p_ms, p_bucket, drawn, array[p_peer, p_reader], p_event || jsonb_build_object('id', marked[cardinality(marked)]));
  elsif marked is not null then
    perform announce_v1(
      p_ms, p_bucket, drawn[:1], array[p_peer], p_event || jsonb_build_object('id', marked[cardinality(marked)]));
    if shown is not null then
      perform announce_v1(
        p_ms, p_bucket, drawn[2:], array[p_reader], p_event || jsonb_build_object('id', shown[cardinality(shown)]));
    end if;
  end if;
  return query select reached, unread;
end $$;

-- Removes a message for both of its ends. The unread counter follows when it was unread. An end that could not see it gets no
-- event.
create function delete_direct_message_v1(
  p_ms bigint, p_bucket integer, p_conversation_id bigint, p_id bigint, p_event jsonb
) returns void language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket, p_bucket]);
  c conversations;
  m direct_messages;
  was_unread boolean;
begin
  select * into c from conversations where bucket = p_bucket and id = p_conversation_id for update;
  delete from direct_messages where bucket = p_bucket and conversation_id = p_conversation_id and id = p_id returning * into m;
  if not found then
    return;
  end if;
  perform forget_marks_v1(p_bucket, array[p_id]);
  was_unread := not m.read and not m.hidden_from_recipient
    and m.id > case when m.toaddr = c.a then c.erased_a else c.erased_b end;
  update conversations set
    unread_a = unread_a - (was_unread and m.toaddr = a)::integer,
    unread_b = unread_b - (was_unread and m.toaddr = b)::integer,
    last_item = case when last_id = p_id then null else last_item end
  where bucket = p_bucket and a = c.a and b = c.b;
  perform announce_v1(p_ms, p_bucket, drawn,
    case when m.withheld then array[m.fromaddr] else array(select distinct unnest(array[m.fromaddr, m.toaddr])) end,
    p_event);
end $$;

-- Removes all messages between a wallet and another, except those that it has erased: they belong to the other, and the event
-- says up to where. The conversation's time stays, so the times of later messages are greater. When the other could see none of
-- them it gets no event.
create function delete_conversation_v1(
  p_ms bigint, p_bucket integer, p_a text, p_b text, p_caller text, p_event jsonb
) returns void language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket, p_bucket]);
  c conversations;
  hidden bigint;
  deleted bigint[];
  unread_of_a integer;
  unread_of_b integer;
  is_unseen boolean;
begin
  select * into c from conversations where bucket = p_bucket and a = p_a and b = p_b for update;
  if not found then
    return;
  end if;
  hidden := case when p_caller = p_a then c.erased_a else c.erased_b end;
  select count(*) filter (where toaddr = p_a and id > c.erased_a and not read and not hidden_from_recipient),
    count(*) filter (where toaddr = p_b and id > c.erased_b and not read and not hidden_from_recipient),
    bool_and(toaddr <> p_caller and withheld)
  into unread_of_a, unread_of_b, is_unseen
  from direct_messages where bucket = p_bucket and conversation_id = c.id and id > hidden;
  with gone as (
    delete from direct_messages where bucket = p_bucket and conversation_id = c.id and id > hidden returning id
  ) select array_agg(id) into deleted from gone;
  if deleted is null then
    return;
  end if;
  perform forget_marks_v1(p_bucket, deleted);
  update conversations set unread_a = unread_a - unread_of_a, unread_b = unread_b - unread_of_b, last_item = null,
    emptied_ms = p_ms, emptied_by_a = p_caller = p_a, emptied_unseen = is_unseen
  where bucket = p_bucket and a = p_a and b = p_b;
  perform announce_v1(p_ms, p_bucket, drawn,
    case when is_unseen then array[p_caller] else array(select distinct unnest(array[p_a, p_b])) end,
    p_event || case when hidden > 0 then jsonb_build_object('after', hidden) else '{}' end);
end $$;

-- Deletes a message for one end alone. An unread one becomes read by that, and both ends are notified of it. When the other end
-- cannot see it either, the message is gone.
create function hide_direct_message_v1(
  p_ms bigint, p_bucket integer, p_conversation_id bigint, p_id bigint, p_caller text, p_event jsonb, p_read_event jsonb
) returns void language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket, p_bucket, p_bucket]);
  c conversations;
  m direct_messages;
  is_sender boolean;
  is_gone boolean;
  was_unread boolean;
begin
  select * into c from conversations where bucket = p_bucket and id = p_conversation_id for update;
  select * into m from direct_messages
  where bucket = p_bucket and conversation_id = p_conversation_id and id = p_id and p_caller in (fromaddr, toaddr)
    and id > case when p_caller = c.a then c.erased_a else c.erased_b end
    and not case when fromaddr = p_caller then hidden_from_sender else hidden_from_recipient end;
  if not found then
    return;
  end if;
  is_sender := m.fromaddr = p_caller;
  was_unread := not is_sender and not m.read;
  is_gone := c.a = c.b or p_id <= case when p_caller = c.a then c.erased_b else c.erased_a end
    or case when is_sender then m.hidden_from_recipient else m.hidden_from_sender end;
  if is_gone then
    delete from direct_messages where bucket = p_bucket and conversation_id = p_conversation_id and id = p_id;
    perform forget_marks_v1(p_bucket, array[p_id]);
  else
    update direct_messages set read = read or was_unread,
      hidden_from_sender = hidden_from_sender or is_sender, hidden_from_recipient = hidden_from_recipient or not is_sender,
      own = case when not is_sender then own end, edits = case when is_sender then without_own_v1(edits) else edits end
    where bucket = p_bucket and conversation_id = p_conversation_id and id = p_id;
  end if;
  -- Without its copy each end's inbox searches the newest message that it can see.
  update conversations set
    unread_a = unread_a - (was_unread and p_caller = a)::integer,
    unread_b = unread_b - (was_unread and p_caller = b)::integer,
    last_read = last_read or (was_unread and last_id = p_id),
    last_item = case when last_id = p_id then null else last_item end
  where bucket = p_bucket and a = c.a and b = c.b;
  perform announce_v1(p_ms, p_bucket, drawn, array[p_caller], p_event);
  if was_unread and not is_gone then
    perform announce_v1(p_ms, p_bucket, drawn[2:3], array[m.fromaddr, m.toaddr], p_read_event);
  end if;
end $$;

-- Deletes a conversation for one end alone: all up to its newest message. Messages that neither end can see are gone.
create function hide_conversation_v1(p_ms bigint, p_bucket integer, p_a text, p_b text, p_caller text, p_event jsonb) returns void
language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket]);
  c conversations;
  newest bigint;
  deleted bigint[];
begin
  select * into c from conversations where bucket = p_bucket and a = p_a and b = p_b for update;
  select m.id into newest from direct_messages m where m.bucket = p_bucket and m.conversation_id = c.id
  order by m.bucket desc, m.conversation_id desc, m.id desc limit 1;
  if newest is null or newest <= (case when p_caller = p_a then c.erased_a else c.erased_b end) then
    return;
  end if;
  update conversations set
    erased_a = case when a = p_caller then newest else erased_a end,
    erased_b = case when b = p_caller then newest else erased_b end,
    unread_a = case when a = p_caller then 0 else unread_a end,
    unread_b = case when b = p_caller then 0 else unread_b end,
    last_item = null, emptied_ms = null, emptied_by_a = null
  where bucket = p_bucket and a = p_a and b = p_b
  returning * into c;
  with gone as (
    delete from direct_messages
    where bucket = p_bucket and conversation_id = c.id and id <= newest and (id <= least(c.erased_a, c.erased_b)
      or (hidden_from_sender or hidden_from_recipient)
        and case when fromaddr = p_caller then hidden_from_recipient else hidden_from_sender end)
    returning id
  ) select array_agg(id) into deleted from gone;
  perform forget_marks_v1(p_bucket, deleted);
  -- The other end reads on what it has seen.
  update direct_messages set own = null, edits = without_own_v1(edits), marks = marks & ~16
  where bucket = p_bucket and conversation_id = c.id and id <= newest and marks & 16 <> 0 and fromaddr = p_caller;
  perform announce_v1(p_ms, p_bucket, drawn, array[p_caller], p_event);
end $$;

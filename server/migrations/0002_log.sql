-- Every change also writes these tables: the keys of requests, and the log that notifies wallets.

-- This table has the first response to a request with an Idempotency-Key, for 24 hours. The key lies in the bucket of what the
-- request changes, and is stored in the transaction that changes it.
create table idempotency_keys (
  bucket integer not null,
  caller text collate "C" not null,
  -- This is the endpoint, a space, and the key as it was sent.
  key text collate "C" not null,
  request_hash bytea not null,
  expires_ms bigint not null,
  -- This is the response as JSON; for a message it has only what the service adds to the request. It has at most 4 KiB: in a
  -- longer one the request's texts are numbers (server/src/http/idempotency.ts).
  answer text,
  primary key (bucket, caller, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_ms);
-- This finds a key that was used for another request.
create index idempotency_keys_key on idempotency_keys (caller, key);

-- Returns true when a key was used in another bucket, so for another request. A cluster does not check that, because it would
-- query all nodes (server/cluster/ids.sql): there a key protects one conversation or chat.
create function is_key_elsewhere_v1(p_ms bigint, p_bucket integer, p_caller text, p_key text) returns boolean
language sql stable as $$
  select exists (
    select 1 from idempotency_keys
    where caller = p_caller and key = p_key and bucket <> p_bucket and answer is not null and expires_ms >= p_ms)
$$;

-- Claims the key of one message. Returns no row when the message goes on, and otherwise what was stored for the key, with
-- `refused` as in send_direct_message_v1.
create function claim_key_v1(p_ms bigint, p_bucket integer, p_caller text, p_key text, p_request bytea)
returns table (id bigint, ms bigint, sender_name text, refused text) language plpgsql as $$
begin
  if is_key_elsewhere_v1(p_ms, p_bucket, p_caller, p_key) then
    return query select null::bigint, null::bigint, null, 'mismatch';
    return;
  end if;
  insert into idempotency_keys as k (bucket, caller, key, request_hash, expires_ms)
  values (p_bucket, p_caller, p_key, p_request, p_ms + 86400000)
  on conflict (bucket, caller, key) do update
    set request_hash = excluded.request_hash, expires_ms = excluded.expires_ms, answer = null
    where k.expires_ms < p_ms;
  if not found then
    return query
      select (k.answer::json->>'id')::bigint, (k.answer::json->>'ms')::bigint, k.answer::json->>'name',
        case when k.request_hash = p_request then 'repeated' else 'mismatch' end
      from idempotency_keys k where k.bucket = p_bucket and k.caller = p_caller and k.key = p_key;
  end if;
end $$;

-- Begins a batch of messages of which some have keys: claims these keys. Returns for each message whether it goes on. It does not
-- when its key was used within a day, or by an earlier message of the batch.
create function claim_keys_v1(p_ms bigint, p_bucket integer[], p_caller text[], p_key text[], p_request bytea[])
returns boolean[] language plpgsql as $$
declare
  goes_on boolean[] := array(select u.key is null from unnest(p_key) with ordinality as u (key, n) order by u.n);
  claimed record;
begin
  for claimed in
    insert into idempotency_keys as k (bucket, caller, key, request_hash, expires_ms)
    select l.bucket, u.caller, u.key, u.request, p_ms + 86400000
    from buckets l join (
      select distinct on (bucket, caller, key) *
      from unnest(p_bucket, p_caller collate "C", p_key collate "C", p_request) with ordinality
        as u (bucket, caller, key, request, n)
      where key is not null and not is_key_elsewhere_v1(p_ms, bucket, caller, key) order by bucket, caller, key, n
    ) u on u.bucket = l.bucket
    where l.bucket = any (p_bucket)
    order by u.bucket, u.caller, u.key
    on conflict (bucket, caller, key) do update
      set request_hash = excluded.request_hash, expires_ms = excluded.expires_ms, answer = null
      where k.expires_ms < p_ms
    returning k.caller, k.key
  loop
    goes_on[(
      select min(u.n)::integer from unnest(p_caller, p_key) with ordinality as u (caller, key, n)
      where u.caller = claimed.caller and u.key = claimed.key
    )] := true;
  end loop;
  return goes_on;
end $$;

-- Returns the names of wallets as JSON strings, in their order. Each is looked up by itself: in a join PostgreSQL may read the
-- whole table for each batch.
create function names_of_v1(p_addresses text[]) returns text[] language plpgsql stable as $$
begin
  return array(
    select (select p.name from profiles p where p.address = u.address)
    from unnest(p_addresses) with ordinality as u (address, n) order by u.n);
end $$;

-- Ends a batch of messages with keys: stores with each new key what was stored for it, and returns a row for each message as
-- send_direct_messages_v1 does. `p_ids` and `p_times` are null for what was not stored.
create function answer_keys_v1(
  p_ms bigint, p_bucket integer[], p_caller text[], p_key text[], p_request bytea[], p_goes_on boolean[],
  p_ids bigint[], p_times bigint[], p_fromaddr text[]
) returns table (id bigint, ms bigint, sender_name text, refused text) language plpgsql as $$
#variable_conflict use_column
declare
  names constant text[] := names_of_v1(p_fromaddr);
  -- This is made beforehand: a cluster calls no such function for each row that it changes.
  answers constant text[] := array(
    select json_build_object('id', u.id, 'ms', u.ms, 'name', u.name)::text
    from unnest(p_ids, p_times, names) with ordinality as u (id, ms, name, n) order by u.n);
begin
  -- A message that is not stored leaves no key behind.
  delete from idempotency_keys k
  using unnest(p_bucket, p_caller, p_key, p_goes_on, p_ids) as u (bucket, caller, key, goes_on, id)
  where k.bucket = any (p_bucket) and k.bucket = u.bucket and k.caller = u.caller and k.key = u.key and u.goes_on and u.id is null;
  update idempotency_keys k set answer = u.answer
  from unnest(p_bucket, p_caller, p_key, p_ids, answers) as u (bucket, caller, key, id, answer)
  where k.bucket = any (p_bucket) and k.bucket = u.bucket and k.caller = u.caller and k.key = u.key and u.id is not null;
  return query
    select coalesce(u.id, (k.answer::json->>'id')::bigint), coalesce(u.ms, (k.answer::json->>'ms')::bigint),
      case when u.id is null then k.answer::json->>'name' else u.name end,
      case
        when u.id is not null then null
        when u.goes_on then 'too-fast'
        when k.key is null and not is_key_elsewhere_v1(p_ms, u.bucket, u.caller, u.key) then 'too-fast'
        when k.request_hash = u.request then 'repeated'
        else 'mismatch'
      end
    from buckets l join unnest(p_bucket, p_caller, p_key, p_request, p_goes_on, p_ids, p_times, names) with ordinality
      as u (bucket, caller, key, request, goes_on, id, ms, name, n) on u.bucket = l.bucket
    left join idempotency_keys k on k.bucket = l.bucket and k.caller = u.caller and k.key = u.key
    where l.bucket = any (p_bucket) order by u.n;
end $$;

-- This is the log of everything but messages: read flags, deletions, changes of an inbox. It has one row per notified wallet.
-- Messages need no row here: their own tables are the log. Read flags and deletions lie in the bucket of their conversation,
-- beside the messages; changes of an inbox in that of the wallet. An event for all members of a chat is one row in the bucket of
-- the chat.
create table events (
  bucket integer not null,
  id bigint not null,
  -- This wallet is notified. For the members of a chat it is the word chat, a space and the chat's key; for one member another
  -- space and an address follow. No address has a space.
  walletaddr text collate "C" not null,
  event jsonb not null,
  ms bigint not null,
  primary key (bucket, id)
);
-- A reader of one machine's log reads it in the order of ids.
create index events_id on events (id);
-- This finds what a wallet missed.
create index events_wallet on events (walletaddr, id);
-- Housekeeping deletes rows that are a day old.
create index events_ms on events (ms);

-- This is the greatest id that was ever deleted from `events`: a client that resumes from before it cannot get all that it
-- missed.
create table events_forgotten (id bigint not null);
insert into events_forgotten values (0);

-- Announces an event to wallets, after draw_ids_v1.
create function announce_v1(p_ms bigint, p_bucket integer, p_drawn bigint[], p_wallets text[], p_event jsonb) returns void
language plpgsql as $$
begin
  insert into events (bucket, id, walletaddr, event, ms)
  select l.bucket, next_id_v1(l.bucket, p_drawn[w.n]), w.wallet, p_event, p_ms
  from buckets l cross join unnest(p_wallets) with ordinality as w (wallet, n)
  where l.bucket = p_bucket;
end $$;

-- Says how far the readers of the log that run in the background have come (server/src/cluster/follow.ts). All ids up to `id`
-- were read. All up to `seen_id` were drawn by transactions below `seen_xid`.
create table log_readers (
  name text primary key,
  id bigint not null,
  seen_id bigint not null,
  seen_xid bigint not null
);
-- These are mails about direct messages, pushes about chats and about reactions, and webhooks. They begin with the first message.
insert into log_readers values ('dm-mails', 0, 0, 0), ('chat-pushes', 0, 0, 0), ('reaction-pushes', 0, 0, 0), ('webhooks', 0, 0, 0);

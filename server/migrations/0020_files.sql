-- Files of messages. A file is made for one conversation or chat, lies in the bucket of that, and belongs to no message until its
-- uploader sends one that names it. Its bytes are in a store (server/src/files/store.ts), in parts; a row says which parts count.
create table files (
  bucket integer not null,
  -- These are random bytes, of which six bits are the bucket.
  id text collate "C" not null,
  -- This is the two addresses of a conversation in the order of their bytes with a space between, or the key of a chat.
  place text collate "C" not null,
  -- This wallet uploads it.
  walletaddr text collate "C" not null,
  -- This is the message that has it; null until it was sent.
  item_id bigint,
  size bigint not null,
  -- So many of its bytes are stored, in these parts, in order. Each ends before the byte of the same place in part_ends.
  have bigint not null default 0,
  parts text[] not null default '{}',
  part_ends bigint[] not null default '{}',
  -- This is the hash of its bytes, as the uploader gave it.
  sha256 bytea not null,
  -- The service has recognised this type of its bytes, when all were there. It is null for another one, and when it is sealed.
  type text,
  name text,
  -- This is true when the client has encrypted it.
  sealed boolean not null default false,
  -- The uploader describes so one that is not sealed: its width, height, duration and what else the contract has.
  described jsonb,
  created_ms bigint not null,
  -- An operator has blocked its hash: 1, and nobody reads it; 2, and its bytes are deleted. Else it is null.
  blocked smallint,
  -- It waits for the scanner: nobody but its uploader reads it until then.
  unscanned boolean not null default false,
  primary key (bucket, id)
);
-- This finds the files of a message that is deleted.
create index files_item on files (bucket, item_id) where item_id is not null;
-- This finds files that no message ever got.
create index files_loose on files (created_ms) where item_id is null;
-- This finds the files of a wallet, for its export, its erasure and its total.
create index files_wallet on files (walletaddr, id);
-- This finds the files of a hash that an operator blocks.
create index files_hash on files (sha256) where not sealed;
-- This finds blocked files whose bytes are kept.
create index files_blocked on files (bucket, id) where blocked = 1;
-- This finds files that wait for the scanner.
create index files_unscanned on files (bucket, id) where unscanned;

-- These files and pictures are deleted, and their bytes are still in the store. A task removes them and then the row.
create table blobs_gone (
  bucket integer not null,
  id text collate "C" not null,
  -- The bytes are given back to this wallet. A picture counts for none: it has '' and 0.
  walletaddr text collate "C" not null,
  size bigint not null,
  primary key (bucket, id)
);

-- Leaves the bytes of deleted files or pictures of a bucket to that task.
create function forget_blobs_v1(p_bucket integer, p_ids text[], p_wallets text[], p_sizes bigint[]) returns void
language plpgsql as $$
begin
  insert into blobs_gone (bucket, id, walletaddr, size)
  select l.bucket, u.id, u.walletaddr, u.size
  from buckets l join unnest(p_ids collate "C", p_wallets collate "C", p_sizes) as u (id, walletaddr, size) on true
  where l.bucket = p_bucket;
end $$;

-- This is the size of all files of a wallet together. It is counted before a file is made, and given back when its bytes are gone,
-- each in a transaction of its own: so it may be too large for an hour, when it is counted again.
create table wallet_files (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  bytes bigint not null check (bytes >= 0),
  primary key (wbucket, walletaddr)
);

-- Deletes the files of some messages of a bucket, in the transaction that deletes the messages. Those of a message under a legal
-- hold stay until it is released: nobody can read them, because nobody can read the message.
create function forget_files_v1(p_bucket integer, p_ids bigint[]) returns void language plpgsql as $$
declare
  ids text[];
  wallets text[];
  sizes bigint[];
begin
  perform from files where bucket = p_bucket and item_id = any (p_ids) limit 1;
  if not found then
    return;
  end if;
  with gone as (
    delete from files f where f.bucket = p_bucket and f.item_id = any (p_ids)
      and not exists (select 1 from held_messages h where h.bucket = p_bucket and h.id = f.item_id)
    returning f.id, f.walletaddr, f.size, f.blocked
  ) select array_agg(id), array_agg(walletaddr), array_agg(size) into ids, wallets, sizes from gone where blocked is distinct from 2;
  perform forget_blobs_v1(p_bucket, ids, wallets, sizes);
end $$;

-- Deletes files that no message has, of a wallet or of all, that were made before a time. Returns their number.
create function forget_loose_files_v1(p_bucket integer, p_ids text[], p_wallet text, p_before bigint) returns bigint
language plpgsql as $$
declare
  ids text[];
  wallets text[];
  sizes bigint[];
begin
  -- A send may take one at the same time: then it belongs to its message.
  with gone as (
    delete from files f where f.bucket = p_bucket and f.id = any (p_ids) and f.item_id is null and f.created_ms < p_before
      and (p_wallet is null or f.walletaddr = p_wallet)
    returning f.id, f.walletaddr, f.size
  ) select array_agg(id), array_agg(walletaddr), array_agg(size) into ids, wallets, sizes from gone;
  perform forget_blobs_v1(p_bucket, ids, wallets, sizes);
  return coalesce(cardinality(ids), 0);
end $$;

-- Locks the files that a message is to have. Returns false when one of them is not all there, belongs to another wallet or place,
-- or has a message already. Files are locked before the conversation or the chat, and in their order, so that two sends with the
-- same files cannot deadlock.
create function lock_files_v1(p_bucket integer, p_place text, p_wallet text, p_files text[]) returns boolean language plpgsql as $$
declare
  locked integer;
begin
  perform from files
  where bucket = p_bucket and id = any (p_files) and walletaddr = p_wallet and place = p_place and item_id is null and have = size
  order by id for update;
  get diagnostics locked = row_count;
  return locked = cardinality(p_files);
end $$;

-- Returns what a message shows of a file: an object of the contract's form.
create function file_item_v1(id text, size bigint, type text, name text, sealed boolean, described jsonb) returns jsonb
language sql immutable parallel safe as $$
  select jsonb_strip_nulls(
    jsonb_build_object('id', id, 'size', size, 'type', type, 'name', name, 'sealed', nullif(sealed, false)))
    || coalesce(described, '{}')
$$;

-- Gives files that are locked to a message. Returns what the message shows of them. A message has a copy of that, because files of
-- a message never change, and lists then read no other table.
create function link_files_v1(p_bucket integer, p_files text[], p_item bigint) returns jsonb language plpgsql as $$
declare
  shown jsonb;
begin
  update files set item_id = p_item where bucket = p_bucket and id = any (p_files);
  select jsonb_agg(file_item_v1(f.id, f.size, f.type, f.name, f.sealed, f.described) order by array_position(p_files, f.id))
  into shown from files f where f.bucket = p_bucket and f.id = any (p_files);
  return shown;
end $$;

-- Returns the outcome of an earlier request with this key: its message may have got the files that are named again. A new key stays
-- free, for a request that names others.
create function repeated_with_files_v1(p_ms bigint, p_bucket integer, p_caller text, p_key text, p_request bytea)
returns table (id bigint, ms bigint, sender_name text, refused text) language plpgsql as $$
begin
  if p_key is null then
    return;
  end if;
  return query select * from claim_key_v1(p_ms, p_bucket, p_caller, p_key, p_request);
  if not found then
    delete from idempotency_keys where bucket = p_bucket and caller = p_caller and key = p_key;
  end if;
end $$;

-- Does the same as send_direct_message_v1 for a message with files, whose ids are joined by commas; without them it calls that
-- function alone. There is one more refusal:
--   no-file  a file is not all there, is of another wallet or conversation, or has a message already
-- A request to a recipient that has not accepted its sender has no files: it is `pending`.
create function send_direct_message_with_files_v1(
  p_ms bigint, p_bucket integer,
  p_fromaddr text, p_toaddr text, p_message text, p_nftaddr text, p_nftid text,
  p_encrypted_sym_x_key text, p_x_access_conditions text,
  p_copy text, p_copy_version integer,
  p_caller text, p_key text, p_request bytea,
  p_may_begin boolean, p_dm_default text, p_may_ask boolean, p_holder text, p_withheld boolean, p_reply_to bigint,
  p_files text
) returns table (id bigint, ms bigint, sender_name text, refused text, began boolean, policy text, files jsonb) language plpgsql as $$
#variable_conflict use_column
declare
  ids constant text[] := string_to_array(p_files, ',');
  of_a constant text := least(p_fromaddr collate "C", p_toaddr);
  of_b constant text := greatest(p_fromaddr collate "C", p_toaddr);
  sent record;
  shown jsonb;
begin
  if ids is not null and not lock_files_v1(p_bucket, of_a || ' ' || of_b, p_fromaddr, ids) then
    select * into sent from repeated_with_files_v1(p_ms, p_bucket, p_caller, p_key, p_request);
    if found then
      return query select sent.id, sent.ms, sent.sender_name, sent.refused, false, null,
        (select m.files from direct_messages m where m.bucket = p_bucket and m.id = sent.id);
    else
      return query select null::bigint, null::bigint, null, 'no-file', false, null, null::jsonb;
    end if;
    return;
  end if;
  select * into sent from send_direct_message_v1(p_ms, p_bucket, p_fromaddr, p_toaddr, p_message, p_nftaddr, p_nftid,
    p_encrypted_sym_x_key, p_x_access_conditions, p_copy, p_copy_version, p_caller, p_key, p_request, p_may_begin, p_dm_default,
    p_may_ask, p_holder, p_withheld, p_reply_to, ids is not null);
  if sent.refused is null and ids is not null then
    shown := link_files_v1(p_bucket, ids, sent.id);
    update direct_messages m set files = shown, marks = m.marks | 32
    from conversations c
    where c.bucket = p_bucket and c.a = of_a and c.b = of_b and m.bucket = p_bucket and m.conversation_id = c.id and m.id = sent.id;
  end if;
  return query select sent.id, sent.ms, sent.sender_name, sent.refused, sent.began, sent.policy, shown;
end $$;

-- Does the same for a post, as post_group_message_v1.
create function post_group_message_with_files_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_nftaddr text, p_context_type text,
  p_fromaddr text, p_message text, p_copy text, p_copy_version integer,
  p_caller text, p_key text, p_request bytea,
  p_withheld boolean, p_held boolean, p_slow_ms bigint, p_reply_to bigint,
  p_files text
) returns table (
  id bigint, ms bigint, sender_name text, refused text, nftaddr text, context_type text, files jsonb
) language plpgsql as $$
#variable_conflict use_column
declare
  ids constant text[] := string_to_array(p_files, ',');
  sent record;
  shown jsonb;
begin
  if ids is not null and not lock_files_v1(p_bucket, p_chat, p_fromaddr, ids) then
    select * into sent from repeated_with_files_v1(p_ms, p_bucket, p_caller, p_key, p_request);
    if found then
      return query
        select sent.id, sent.ms, sent.sender_name, sent.refused, c.nftaddr, c.context_type, coalesce(
          (select m.files from group_messages m where m.bucket = p_bucket and m.chat = p_chat and m.id = sent.id),
          (select w.files from withheld_posts w
           where w.bucket = p_bucket and w.chat = p_chat and w.fromaddr = p_fromaddr and w.id = sent.id))
        from buckets l left join group_chats c on c.bucket = p_bucket and c.chat = p_chat where l.bucket = p_bucket;
    else
      return query select null::bigint, null::bigint, null, 'no-file', null, null, null::jsonb;
    end if;
    return;
  end if;
  select * into sent from post_group_message_v1(p_ms, p_bucket, p_chat, p_nftaddr, p_context_type, p_fromaddr, p_message, p_copy,
    p_copy_version, p_caller, p_key, p_request, p_withheld, p_held, p_slow_ms, p_reply_to);
  if sent.refused is null and ids is not null then
    shown := link_files_v1(p_bucket, ids, sent.id);
    if p_withheld then
      update withheld_posts w set files = shown, marks = w.marks | 32
      where w.bucket = p_bucket and w.chat = p_chat and w.fromaddr = p_fromaddr and w.id = sent.id;
    else
      update group_messages m set files = shown, marks = m.marks | 32
      where m.bucket = p_bucket and m.chat = p_chat and m.id = sent.id;
    end if;
  end if;
  return query select sent.id, sent.ms, sent.sender_name, sent.refused, sent.nftaddr, sent.context_type, shown;
end $$;

-- Deletes what a bucket has stored for wallets and chats that are no longer held, with the files that were kept for it. A message
-- that was only copied, because another wallet still sees it, keeps its files.
create function forget_released_v1(p_bucket integer, p_held text[]) returns void language plpgsql as $$
declare
  released bigint[];
begin
  with gone as (
    delete from held_messages where bucket = p_bucket and fromaddr <> all (p_held)
      and coalesce(toaddr <> all (p_held), true) and coalesce(chat <> all (p_held), true)
      and coalesce(split_part(chat, '/', 1) <> all (p_held), true)
    returning id
  ) select array_agg(id) into released from gone;
  select array_agg(u.id) into released from unnest(released) as u (id)
  where not exists (select 1 from direct_messages m where m.bucket = p_bucket and m.id = u.id)
    and not exists (select 1 from group_messages m where m.bucket = p_bucket and m.id = u.id and m.removed_by is null)
    and not exists (select 1 from withheld_posts m where m.bucket = p_bucket and m.id = u.id and m.removed_by is null);
  perform forget_files_v1(p_bucket, released);
end $$;

-- This file says where a row lies, and what its id is.
--
-- `bucket` leads the key of every table that grows with messages: a number from 0 to 63, made from a hash of the two addresses of
-- a conversation, of the key of a chat, or of an NFT. Rows that are written together have one bucket, so they lie in one
-- partition of a table and on one node of a cluster. `wbucket` is the bucket of a wallet, for rows that belong to one wallet. The
-- service computes both (server/src/values/bucket.ts). They never change.
--
-- Times are milliseconds since 1970, given by the service: columns named `ms` or `…_ms`.
--
-- Statements that change several tables are functions, so that each is one round trip and one commit. The name of a function
-- contains a version. A release that needs another text adds a function of the next version, so that two releases can run side by
-- side.

/* Returns the bucket of a text. Keep it equal to bucketOf in server/src/values/bucket.ts. */
create function bucket_of(value text) returns integer language sql immutable strict parallel safe as $$
  select get_byte(sha256(convert_to(value, 'UTF8')), 0) & 63
$$;

/* Returns the bucket of a chat: rooms lie with their community. Keep it equal to chatBucket in server/src/values/bucket.ts. */
create function chat_bucket(chat text) returns integer language sql immutable strict parallel safe as $$
  select bucket_of(split_part(chat, '/', 1))
$$;

-- The id of an item is `number * 64 + bucket`, so `id % 64` says where it lies. Ids increase within a bucket, none is used
-- twice, and they stay below 2^53 until 2094.
--
-- One machine takes numbers from this sequence: they are unique over all buckets. A cluster has no common sequence. There
-- each bucket counts by itself, in its row of `buckets`. There server/cluster/ids.sql takes the place of the two functions
-- below.
create sequence item_numbers;

-- Each bucket has one row.
create table buckets (
  bucket integer primary key check (bucket between 0 and 63),
  -- A cluster last used this number.
  number bigint not null default 0
) with (fillfactor = 50);
insert into buckets (bucket) select generate_series(0, 63);

-- Call this first in everything that writes items: with the buckets of the items, one for each. A cluster draws all ids here, and
-- locks the rows of the buckets until the commit. One machine only makes sure that the transaction has its number (xid) before it
-- draws an id: readers of the log rely on that (server/src/cluster/cursor.ts). An empty message in the write-ahead log shows the
-- number to standbys: without it they learn of the transaction when it first writes, which is after it has drawn.
create function draw_ids_v1(p_ms bigint, p_buckets integer[]) returns bigint[] language sql volatile as $$
  select case when pg_logical_emit_message(true, '', '') is null then p_buckets::bigint[] end
$$;

-- Returns the id of the next item. `drawn` is what draw_ids_v1 gave for it.
create function next_id_v1(bucket integer, drawn bigint) returns bigint language sql volatile as $$
  select nextval('item_numbers') * 64 + bucket
$$;

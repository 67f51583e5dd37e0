-- These are the ids of a cluster, in place of those of one machine (server/migrations/0001_ids.sql). A cluster has no common
-- sequence: each bucket counts by itself, in its row of `buckets`, which lies on the node of the bucket.
--
-- A number is at least the milliseconds since 2025 times 64, so ids of all buckets are roughly in the order of time, and 64
-- numbers a millisecond are free in each bucket. One machine counts from 1 on: after a change to a cluster the numbers go on
-- above those of its sequence, because it has used fewer than 64 a millisecond since 2025.

/* Draws the id of each entry of `p_buckets`, those of a bucket in their order. The rows of the buckets stay locked until the
   commit, so the ids of a bucket become visible in their order: a reader of the log finds no holes. Buckets are
   locked in their order, and before anything else, so that two writers cannot deadlock. They are locked one at a time: a cluster
   cannot lock rows on several nodes in one statement. */
create or replace function draw_ids_v1(p_ms bigint, p_buckets integer[]) returns bigint[] language plpgsql as $$
declare
  drawn bigint[] := array_fill(null::bigint, array[cardinality(p_buckets)]);
  entries record;
  last_number bigint;
begin
  for entries in
    select u.bucket, count(*) as count, array_agg(u.n order by u.n) as places
    from unnest(p_buckets) with ordinality as u (bucket, n) group by u.bucket order by u.bucket
  loop
    update buckets set number = greatest(number + entries.count, (p_ms - 1735689600000) * 64 + entries.count)
    where bucket = entries.bucket returning number into strict last_number;
    for i in 1 .. entries.count loop
      drawn[entries.places[i]] := (last_number - entries.count + i) * 64 + entries.bucket;
    end loop;
  end loop;
  return drawn;
end $$;

/* Only a statement on all nodes could find this out. */
create or replace function is_key_elsewhere_v1(p_ms bigint, p_bucket integer, p_caller text, p_key text) returns boolean
language sql immutable as $$
  select false
$$;

/* The id was drawn already. This is immutable, because a cluster accepts no other functions in `on conflict do update`. The
   service recognises a cluster by it (server/src/db/layout.ts). */
create or replace function next_id_v1(bucket integer, drawn bigint) returns bigint language sql immutable as $$
  select drawn
$$;

-- This table is small, and on a cluster it lies on its coordinator; it has no bucket. It has each disk on which instances store
-- files of messages, by the random id in its DATA_DIR/files. Instances write into it while they run, so several rows with a
-- recent time are hosts that do not have each other's files (server/src/files/disks.ts).
create table file_disks (
  marker text collate "C" primary key,
  host text not null,
  seen_ms bigint not null
);

-- The service takes no plain file with one of these hashes. The table is small, and lies on the coordinator as well.
create sequence blocked_file_ids;
create table blocked_files (
  id bigint primary key default nextval('blocked_file_ids'),
  sha256 bytea not null unique,
  -- This wallet blocked it, or the command line.
  operator text collate "C" not null,
  reason text not null,
  ms bigint not null
);

-- Takes some files of a bucket from everybody, and their bytes, unless a wallet or chat in `p_held` is under a legal hold. Returns
-- of how many files the bytes go. A file that no message has goes as a whole once it is all there.
create function block_files_v1(p_bucket integer, p_ids text[], p_held text[]) returns bigint language plpgsql as $$
declare
  ids text[];
  wallets text[];
  sizes bigint[];
begin
  update files set blocked = 1 where bucket = p_bucket and id = any (p_ids) and blocked is null;
  select array_agg(id) into ids from files
  where bucket = p_bucket and id = any (p_ids) and blocked = 1 and item_id is null and have = size;
  perform forget_loose_files_v1(p_bucket, ids, null, 9223372036854775807);
  with gone as (
    update files f set blocked = 2
    where f.bucket = p_bucket and f.id = any (p_ids) and f.blocked = 1 and f.item_id is not null
      and f.walletaddr <> all (p_held) and not ((string_to_array(f.place collate "C", ' ') || split_part(f.place collate "C", '/', 1)) && (p_held collate "C"))
      and not exists (select 1 from held_messages h where h.bucket = p_bucket and h.id = f.item_id)
    returning f.id, f.walletaddr, f.size
  ) select array_agg(id), array_agg(walletaddr), array_agg(size) into ids, wallets, sizes from gone;
  perform forget_blobs_v1(p_bucket, ids, wallets, sizes);
  return coalesce(cardinality(ids), 0);
end $$;

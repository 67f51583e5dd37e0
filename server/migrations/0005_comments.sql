-- Comments on NFTs lie in the bucket of the NFT.

-- Each NFT that was ever commented on has one row: it has the count of comments, and is the lock that writers take in turn.
create table comment_threads (
  bucket integer not null,
  nftaddr text collate "C" not null,
  -- It is exact up to 2^256-1.
  nftid numeric(78, 0) not null check (nftid between 0 and 2::numeric ^ 256 - 1),
  id bigint not null,
  comments bigint not null default 0 check (comments >= 0),
  -- This is the time of the newest comment ever made, deleted or not: the next one is later.
  last_ms bigint not null,
  primary key (bucket, nftaddr, nftid)
) with (fillfactor = 70); -- both change with every comment: room for updates that touch no index
-- This finds the thread of a comment.
create unique index comment_threads_id on comment_threads (bucket, id);
-- Threads without comments are deleted.
create index comment_threads_empty on comment_threads (last_ms) where comments = 0;

create table comments (
  bucket integer not null,
  thread_id bigint not null,
  id bigint not null,
  fromaddr text collate "C" not null,
  message text not null,
  ms bigint not null,
  -- This is true when its author alone sees it, who cannot notice that. No count of others includes it.
  withheld boolean not null default false,
  -- This lists the comments on an NFT, in pages. There is no index on the id alone: for a short thread beside a long one the
  -- planner would use that one, and read everybody's comments.
  primary key (bucket, thread_id, id)
);
-- This finds a wallet's comments, on one NFT or on all.
create index comments_wallet on comments (fromaddr, bucket, thread_id, id);

-- Adds a comment, with `p_withheld` for its author alone. Returns its id, its time and its author's name (JSON). The thread's row
-- is locked until the commit, so the ids and times on an NFT become visible in their order.
create function add_comment_v1(
  p_ms bigint, p_bucket integer, p_nftaddr text, p_nftid numeric, p_fromaddr text, p_message text, p_withheld boolean
) returns table (id bigint, ms bigint, sender_name text) language plpgsql as $$
#variable_conflict use_column
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket, p_bucket]);
  thread comment_threads;
  comment_id bigint;
begin
  insert into comment_threads as t (bucket, nftaddr, nftid, id, comments, last_ms)
  values (p_bucket, p_nftaddr, p_nftid, next_id_v1(p_bucket, drawn[1]), (not p_withheld)::integer, p_ms)
  on conflict (bucket, nftaddr, nftid) do update set
    comments = t.comments + excluded.comments, last_ms = greatest(excluded.last_ms, t.last_ms + 1)
  returning * into thread;
  comment_id := next_id_v1(p_bucket, drawn[2]);
  insert into comments (bucket, thread_id, id, fromaddr, message, ms, withheld)
  values (p_bucket, thread.id, comment_id, p_fromaddr, p_message, thread.last_ms, p_withheld);
  return query select comment_id, thread.last_ms, (select p.name from profiles p where p.address = p_fromaddr);
end $$;

-- Removes a wallet's comments on an NFT. The thread's time stays, so the times of later comments are greater.
create function delete_comments_v1(p_bucket integer, p_thread_id bigint, p_fromaddr text) returns void language plpgsql as $$
declare
  counted bigint;
begin
  -- This is a separate statement: the next one must see what was written while this one waited for the lock.
  perform from comment_threads where bucket = p_bucket and id = p_thread_id for update;
  with deleted as (
    delete from comments where bucket = p_bucket and thread_id = p_thread_id and fromaddr = p_fromaddr returning withheld
  )
  select count(*) filter (where not withheld) into counted from deleted;
  update comment_threads set comments = comments - counted where bucket = p_bucket and id = p_thread_id;
end $$;

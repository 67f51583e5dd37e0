-- The index of searches. It has the words of messages, each with a mark of who may search it before it (server/src/features/search/
-- lexemes.ts): a search reads what the wallet itself or a chat has, whatever others write. The index only says which messages may
-- match: lists decide what is shown, so a row that is out of date shows nothing.
--
-- A reader of the log writes it: a send pays nothing for it. A backup leaves it out, and `parley reindex` makes it again.

-- A direct message has a row for each of its ends, in the bucket of that wallet.
create table search_direct (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  id bigint not null,
  ms bigint not null,
  words tsvector not null,
  primary key (wbucket, walletaddr, id)
);
-- Nothing waits in a list that each search would read: the reader is in no hurry.
create index search_direct_words on search_direct using gin (words) with (fastupdate = off);
-- This finds the rows of a message that is deleted. It has no order, or the planner would walk it through everybody's messages.
create index search_direct_id on search_direct using hash (id);

-- A post has one row, in the bucket of its chat.
create table search_posts (
  bucket integer not null,
  chat text collate "C" not null,
  id bigint not null,
  ms bigint not null,
  words tsvector not null,
  primary key (bucket, chat, id)
);
create index search_posts_words on search_posts using gin (words) with (fastupdate = off);
create index search_posts_id on search_posts using hash (id);

-- These messages are deleted, and the index still has their words: for a minute (server/src/features/search/clean.ts).
create table search_gone (
  bucket integer not null,
  id bigint not null,
  primary key (bucket, id)
);

insert into log_readers values ('search', 0, 0, 0);

-- Marks messages of a bucket as deleted for the index, in the transaction that deletes them.
create function forget_words_v1(p_bucket integer, p_ids bigint[]) returns void language plpgsql as $$
begin
  insert into search_gone (bucket, id)
  select l.bucket, u.id from buckets l join unnest(p_ids) as u (id) on true where l.bucket = p_bucket
  on conflict (bucket, id) do nothing;
end $$;

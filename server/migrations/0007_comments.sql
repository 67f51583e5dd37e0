-- One row per NFT that was ever commented on: its count without counting, and the lock that writers take in turn.
create table comment_threads (
  id bigint generated always as identity primary key,
  nftaddr text collate "C" not null,
  -- Exact up to 2^256-1.
  nftid numeric(78, 0) not null check (nftid between 0 and 2::numeric ^ 256 - 1),
  comments bigint not null default 0 check (comments >= 0),
  -- The time of the newest comment ever made, deleted or not: the next one is later.
  last_time timestamptz(3) not null,
  unique (nftaddr, nftid)
) with (fillfactor = 70); -- both change with every comment: room for updates that touch no index

create table comments (
  id bigint generated always as identity,
  thread_id bigint not null,
  fromaddr text collate "C" not null,
  message text not null,
  timestamp timestamptz(3) not null,
  -- The comments on an NFT, in pages. There is no index on the id alone: for a short thread beside a long one the planner
  -- would walk that one, through everybody's comments.
  primary key (thread_id, id)
);

-- Those of one wallet, to delete them.
create index comments_from on comments (thread_id, fromaddr);

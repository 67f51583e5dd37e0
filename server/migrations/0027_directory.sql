-- The directory of communities: what their owners say about them, and what a job counts (server/src/features/communities/).

-- Each community has one row.
create table community_profiles (
  bucket integer not null,
  chat text collate "C" not null,
  created_ms bigint not null,
  -- Its owner has written this. Tags are in the form in which they are searched for.
  about text not null default '',
  tags text[] not null default '{}',
  listed boolean not null default true,
  -- The operator of the service recommends it.
  featured boolean not null default false,
  -- The job has counted these at its last run, and members of the last week a day ago or less. `active` is rounded down; 0 where
  -- they are few. The first member is counted at once.
  members bigint not null default 0,
  active integer not null default 0,
  counted_ms bigint not null default 0,
  -- Lists have it last: nobody has joined it, or its creator has made many that few have joined.
  is_last boolean not null default true,
  -- These are the words of its name and its texts, and its tags with # before them.
  words tsvector not null,
  primary key (bucket, chat)
);
-- These are for the orders of the directory (directory.ts has the same expressions). Counts change once an hour at most.
create index community_profiles_active on community_profiles (
  ((case when featured then 2 when is_last then 0 else 1 end) * 1000000000000000 + active::bigint * 100000000 + least(members, 99999999)) desc,
  chat) where listed;
create index community_profiles_members on community_profiles (
  ((case when is_last then 0 else 1 end) * 1000000000000000 + members) desc, chat) where listed;
create index community_profiles_new on community_profiles (
  ((case when is_last then 0 else 1 end) * 1000000000000000 + created_ms) desc, chat) where listed;
create index community_profiles_words on community_profiles using gin (words) with (fastupdate = off);

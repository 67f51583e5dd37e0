-- The posts of communities' X accounts, as they were last fetched; shared by all instances.
create table community_tweets (
  chat text collate "C" primary key,
  username text not null,
  -- When an instance last set out to fetch. Whoever moves it on is the one that fetches.
  claimed_at timestamptz not null,
  -- In the shape of the contract.
  tweets jsonb not null default '[]'
);

-- X limits a token over all accounts: until then nobody asks. At most one row.
create table x_api_pause (
  one boolean primary key default true check (one),
  paused_until timestamptz not null
);

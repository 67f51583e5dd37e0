-- Wallets that are programs, by their own word. A row goes with its wallet alone.
create table bots (
  walletaddr text collate "C" primary key,
  since_ms bigint not null
);
-- Every instance reads what is new.
create index bots_since on bots (since_ms);

-- Addresses at which a program posts in one chat, as the wallet that has made them.
create table incoming_hooks (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  -- One of those that a wallet has, so it cannot have more.
  slot smallint not null check (slot between 1 and 20),
  id text collate "C" not null,
  -- SHA-256 of the secret in the address, which is 258 random bits and the bucket.
  hash bytea not null,
  label text not null,
  nftaddr text collate "C" not null,
  created_ms bigint not null,
  -- The day on which it was used last (since 1970, in UTC).
  last_used_day integer,
  primary key (wbucket, walletaddr, slot)
);
-- The hook of a request.
create unique index incoming_hooks_hash on incoming_hooks (wbucket, hash);

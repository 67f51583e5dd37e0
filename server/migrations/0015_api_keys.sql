-- Keys that programs send in place of a token.
create table api_keys (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  -- One of those that a wallet has, so it cannot have more.
  slot smallint not null check (slot between 1 and 20),
  id text collate "C" not null,
  -- SHA-256 of the key, which is 250 random bits and the bucket.
  hash bytea not null,
  label text not null,
  -- As sdk/src/contract/scopes.ts writes them.
  scopes text[] not null,
  created_ms bigint not null,
  -- The day on which it was used last (since 1970, in UTC).
  last_used_day integer,
  expires_ms bigint,
  primary key (wbucket, walletaddr, slot)
);
-- The key of a request.
create unique index api_keys_hash on api_keys (wbucket, hash);

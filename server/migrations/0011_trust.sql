-- What helps a person to decide whether to trust a wallet that writes to them: facts, no score.

-- When a wallet signed in here first. Written once.
create table wallets_seen (
  wbucket integer not null,
  address text collate "C" not null,
  first_ms bigint not null,
  primary key (wbucket, address)
);

-- What a chain knows of an address, as a job has read it. Facts older than a day are read again when somebody asks.
create table chain_facts (
  wbucket integer not null,
  address text collate "C" not null,
  -- What it is about: the id of a chain, or the contract of a token.
  about text collate "C" not null,
  facts jsonb not null,
  ms bigint not null,
  primary key (wbucket, address, about)
);
-- Housekeeping deletes what nobody has asked for again.
create index chain_facts_ms on chain_facts (ms);

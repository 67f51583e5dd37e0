-- These facts help a person to decide whether to trust a wallet that writes to them; there is no score.

-- Says when a wallet signed in here first. It is written once.
create table wallets_seen (
  wbucket integer not null,
  address text collate "C" not null,
  first_ms bigint not null,
  primary key (wbucket, address)
);

-- This has facts about an address on a chain, as a job has read them. Facts older than a day are read again at the next request.
create table chain_facts (
  wbucket integer not null,
  address text collate "C" not null,
  -- The facts are about this: the id of a chain, or the contract of a token.
  about text collate "C" not null,
  facts jsonb not null,
  ms bigint not null,
  primary key (wbucket, address, about)
);
-- Housekeeping deletes facts that nobody has requested again.
create index chain_facts_ms on chain_facts (ms);

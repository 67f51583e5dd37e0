-- Wallets that are programs, by their own word. A row goes with its wallet alone.
create table bots (
  walletaddr text collate "C" primary key,
  since_ms bigint not null
);
-- Every instance reads what is new.
create index bots_since on bots (since_ms);

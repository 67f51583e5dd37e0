-- What wallets are told besides messages: read flags, deletions, changes of the inbox. One row per wallet that is told.
-- Messages need no row here: their own tables are the log.
--
-- Ids come from the sequence of the messages. Whoever reads them as a log relies on this: the transaction has its xid
-- before it draws an id. That is so when the row follows from another write of the same statement or transaction.
create table events (
  id bigint primary key default nextval('item_ids'),
  walletaddr text collate "C" not null,
  event jsonb not null,
  created_at timestamptz not null default now()
);
-- What a wallet missed.
create index events_wallet on events (walletaddr, id);
-- What is a day old is deleted.
create index events_created_at on events (created_at);

-- The greatest id that was ever deleted from `events`: who resumes from before it cannot be told all it missed.
create table events_forgotten (id bigint not null);
insert into events_forgotten values (0);

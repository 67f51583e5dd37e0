-- Copies the rows of `conversations` by wallet, on a cluster only: the inbox of a wallet and its counts read one shard
-- (server/src/cluster/copies.ts). It runs on the coordinator before distribute.sql, in the same transaction.

create table conversation_copies (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  peer text collate "C" not null,
  -- This is the number of the conversation's bucket (`buckets`) when its row was read. A change of a conversation increases that
  -- number in the same transaction, so a row that was read at a greater number is later, or the same.
  version bigint not null,
  -- These belong to the conversation. The id is null when it is gone: so an older copy cannot come back.
  bucket integer not null,
  id bigint,
  -- The wallet has decided: 0 unknown, 1 accepted, 2 ignored.
  state smallint not null,
  blocked boolean not null,
  unread integer not null,
  -- This is the newest message that the wallet can see, as a part of the JSON of an inbox row; all are null when there is none.
  last_id bigint,
  last_ms bigint,
  last_read boolean,
  last_is_theirs boolean,
  last_item text,
  -- This is the version of the JSON's shape, which a release sets.
  shape integer not null,
  primary key (wbucket, walletaddr, peer)
);
-- This is for the parts of an inbox.
create index conversation_copies_part on conversation_copies (wbucket, walletaddr, state, blocked);
-- Housekeeping deletes copies of what is gone after a while.
create index conversation_copies_gone on conversation_copies (version) where id is null;

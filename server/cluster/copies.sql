-- Copies of the rows of `conversations` by wallet, on a cluster only: the inbox of a wallet and its counts read one shard
-- (server/src/messages/copies.ts). Run on the coordinator before distribute.sql, in the same transaction.

create table conversation_copies (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  peer text collate "C" not null,
  -- The number of the conversation's bucket (`buckets`) when its row was read. What changes a conversation moves that number on
  -- in the same transaction, so a row that was read at a greater number is later, or the same.
  version bigint not null,
  -- Of the conversation. The id is null when it is gone: so a copy that is older cannot come back.
  bucket integer not null,
  id bigint,
  -- As the wallet has decided: 0 unknown, 1 accepted, 2 ignored.
  state smallint not null,
  blocked boolean not null,
  unread integer not null,
  -- The newest message that the wallet can see, as a part of the JSON of an inbox's row; all null when there is none.
  last_id bigint,
  last_ms bigint,
  last_read boolean,
  last_is_theirs boolean,
  last_item text,
  -- Which release's JSON that is.
  shape integer not null,
  primary key (wbucket, walletaddr, peer)
);
-- The parts of an inbox.
create index conversation_copies_part on conversation_copies (wbucket, walletaddr, state, blocked);
-- Copies of what is gone are deleted after a while.
create index conversation_copies_gone on conversation_copies (version) where id is null;

-- Messages that a program suggests, for a person to send.
create table drafts (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  -- One of those that a wallet has, so it cannot have more.
  slot smallint not null check (slot between 1 and 100),
  id text collate "C" not null,
  -- The wallet or the chat to which it would be sent.
  toaddr text,
  nftaddr text,
  message text not null,
  -- Of the key that wrote it; empty for the wallet itself.
  label text not null,
  created_ms bigint not null,
  primary key (wbucket, walletaddr, slot)
);

-- These are programs that act for a wallet: API keys, bots with their commands, hooks, and drafts.

-- Programs send such a key in place of a token.
create table api_keys (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  -- Each row of a wallet has its own slot, so the wallet cannot have more rows.
  slot smallint not null check (slot between 1 and 20),
  id text collate "C" not null,
  -- This is the SHA-256 of the key, which is 250 random bits and the bucket.
  hash bytea not null,
  label text not null,
  -- The scopes have the form of sdk/src/contract/scopes.ts.
  scopes text[] not null,
  created_ms bigint not null,
  -- The key was last used on this day (since 1970, in UTC).
  last_used_day integer,
  expires_ms bigint,
  primary key (wbucket, walletaddr, slot)
);
-- This finds the key of a request.
create unique index api_keys_hash on api_keys (wbucket, hash);

-- These wallets say that they are programs. A row is only deleted with its wallet.
create table bots (
  walletaddr text collate "C" primary key,
  since_ms bigint not null
);
-- Every instance reads what is new.
create index bots_since on bots (since_ms);

-- At these addresses a program posts in one chat, as the wallet that has made the address.
create table incoming_hooks (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  -- Each row of a wallet has its own slot, so the wallet cannot have more rows.
  slot smallint not null check (slot between 1 and 20),
  id text collate "C" not null,
  -- This is the SHA-256 of the secret in the address, which is 258 random bits and the bucket.
  hash bytea not null,
  label text not null,
  nftaddr text collate "C" not null,
  created_ms bigint not null,
  -- The hook was last used on this day (since 1970, in UTC).
  last_used_day integer,
  primary key (wbucket, walletaddr, slot)
);
-- This finds the hook of a request.
create unique index incoming_hooks_hash on incoming_hooks (wbucket, hash);

-- Bots respond to these words in a chat. The words lie with the chat.
create table chat_commands (
  bucket integer not null,
  chat text collate "C" not null,
  walletaddr text collate "C" not null,
  word text collate "C" not null,
  description text not null,
  -- The bot last set its words at this time.
  ms bigint not null,
  primary key (bucket, chat, walletaddr, word)
);
-- This finds the words of a wallet, for its export and its erasure.
create index chat_commands_wallet on chat_commands (walletaddr, chat, word);

-- A program suggests these messages, and a person sends them.
create table drafts (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  -- Each row of a wallet has its own slot, so the wallet cannot have more rows.
  slot smallint not null check (slot between 1 and 100),
  id text collate "C" not null,
  -- The message would be sent to this wallet or chat.
  toaddr text,
  nftaddr text,
  message text not null,
  -- The label is that of the key that wrote it; it is empty for the wallet itself.
  label text not null,
  -- The API key that made the draft may list and discard no other draft. It is null where the wallet made it.
  api_key text collate "C",
  created_ms bigint not null,
  primary key (wbucket, walletaddr, slot)
);

-- People who were imported from elsewhere and are here now (server/src/features/moving/): a wallet takes over the name that it had
-- there. Who has written a message never changes.

create table imported_claims (
  -- This is such as discord:1234.
  address text collate "C" primary key,
  -- It is null once the wallet was erased: the messages then stay without a name, as its own do.
  walletaddr text collate "C",
  since_ms bigint not null,
  -- The wallet is muted unseen: nobody else sees it.
  unseen boolean not null
);
create index imported_claims_wallet on imported_claims (walletaddr);

-- The operator makes such a code for one person. Only its hash is here.
create table claim_codes (
  code_hash bytea primary key,
  address text collate "C" not null unique,
  expires_ms bigint not null,
  -- A code is used once. The same wallet may repeat that, because an answer may be lost.
  used_by text collate "C"
);

-- Wrong codes of a wallet, and the exports of chats that their owners have made (server/src/limits/sliding-window.ts).
create table wrong_codes (
  key text collate "C" primary key,
  failures bigint[] not null,
  expires_ms bigint not null
);
create index wrong_codes_expires on wrong_codes (expires_ms);
create table chat_exports (
  key text collate "C" primary key,
  made bigint[] not null,
  expires_ms bigint not null
);
create index chat_exports_expires on chat_exports (expires_ms);

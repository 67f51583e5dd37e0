-- Ids of all messages, direct and in groups, come from one sequence: an id is never used twice, and one cursor serves
-- everything a wallet is told.
create sequence item_ids;

-- One row per pair of wallets. `a` is the lesser address in byte order, so the pair is the same from either end.
-- It carries what an inbox needs besides the last message, so that no read ever counts messages.
create table conversations (
  id bigint generated always as identity primary key,
  a text collate "C" not null,
  b text collate "C" not null,
  -- The time of the newest message ever sent, deleted or not: the next one is later.
  last_time timestamptz(3) not null,
  unread_a integer not null default 0 check (unread_a >= 0),
  unread_b integer not null default 0 check (unread_b >= 0),
  unique (a, b),
  check (a <= b)
) with (fillfactor = 70); -- counters change with every message: room for updates that touch no index

-- The inbox of a wallet that is the greater end of the pair.
create index conversations_b on conversations (b);

create table direct_messages (
  id bigint primary key default nextval('item_ids'),
  conversation_id bigint not null,
  fromaddr text collate "C" not null,
  toaddr text collate "C" not null,
  message text not null,
  nftaddr text collate "C",
  nftid text collate "C",
  encrypted_sym_x_key text,
  x_access_conditions text,
  read boolean not null default false,
  timestamp timestamptz(3) not null
);

-- A conversation, and its last message for the inbox.
create index direct_messages_conversation on direct_messages (conversation_id, id);
-- Polling with the last timestamp.
create index direct_messages_time on direct_messages (conversation_id, timestamp);
-- Everything a wallet sent or received, merged by id.
create index direct_messages_from on direct_messages (fromaddr, id);
create index direct_messages_to on direct_messages (toaddr, id);
-- What the other side has read.
create index direct_messages_read on direct_messages (conversation_id, fromaddr, id) where read;
-- The NFT contexts: of a wallet, of a wallet and a token, of a pair and a token.
create index direct_messages_nft_from on direct_messages (fromaddr, id) where nftaddr is not null;
create index direct_messages_nft_to on direct_messages (toaddr, id) where nftaddr is not null;
create index direct_messages_token_from on direct_messages (fromaddr, nftaddr, nftid, id) where nftaddr is not null;
create index direct_messages_token_to on direct_messages (toaddr, nftaddr, nftid, id) where nftaddr is not null;
create index direct_messages_token_conversation on direct_messages (conversation_id, nftaddr, nftid, id) where nftaddr is not null;
-- Unread in one NFT context.
create index direct_messages_token_unread on direct_messages (toaddr, nftaddr, nftid) where nftaddr is not null and not read;

-- The first answer to a request with an Idempotency-Key, kept 24 hours, written in the request's own transaction.
create table idempotency_keys (
  caller text collate "C" not null,
  endpoint text not null,
  key text collate "C" not null,
  request_hash bytea not null,
  answer text,
  expires_at timestamptz not null,
  primary key (caller, endpoint, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);

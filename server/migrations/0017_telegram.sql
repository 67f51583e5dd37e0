-- Notifications by a bot of Telegram (docs/notifications.md).

-- The chat at Telegram in which a wallet is told of messages. A chat may be told for several wallets.
create table telegram_links (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  chat_id bigint not null,
  -- What Telegram calls the person.
  name text not null,
  since_ms bigint not null,
  primary key (wbucket, walletaddr)
);
-- Who is told: few are, and the readers of the log ask it for each page of messages.
create index telegram_links_wallet on telegram_links (walletaddr);
-- A chat that wants no more, or is gone, is told for no wallet.
create index telegram_links_chat on telegram_links (chat_id);

-- The one code of a wallet by which a chat is linked to it: used once, for ten minutes. A crash may empty it: then a new one is made.
create unlogged table telegram_codes (
  walletaddr text collate "C" primary key,
  code_hash bytea not null,
  expires_ms bigint not null
);
create index telegram_codes_hash on telegram_codes (code_hash);
create index telegram_codes_expiry on telegram_codes (expires_ms);

-- When a chat may be told next, and as chat 0 the whole bot. A crash may empty it.
create unlogged table telegram_pace (
  chat_id bigint primary key,
  next_ms bigint not null
);

-- Up to which update of a bot everything is done. It changes with what the update does.
create table telegram_bots (
  bot_id bigint primary key,
  next_update bigint not null,
  seen_ms bigint not null
);

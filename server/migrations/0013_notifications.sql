-- These are notifications beside mails: what a wallet wants to be notified of and when, the browsers that get pushes, chats at
-- Telegram, and notices about additions that outlive a sign-in. It also has keys of the service.

create table notification_rules (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  -- These have the form of NotificationRules in the contract.
  rules jsonb not null,
  primary key (wbucket, walletaddr)
);

-- A browser gets pushes at this address (RFC 8030), encrypted with these keys (RFC 8291). A wallet has at most ten.
create table push_subscriptions (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  id text collate "C" not null,
  -- This is an address of its push service that only this browser and the service know: anyone who has it can send to the
  -- browser.
  endpoint text not null,
  endpoint_hash bytea not null,
  p256dh text not null,
  auth text not null,
  label text not null,
  created_ms bigint not null,
  -- The push service last responded with this status, at this time; it is null before the first push.
  answer smallint,
  answered_ms bigint,
  primary key (wbucket, walletaddr, id)
);
-- Finds the wallets that get pushes: few do, and the reader of the log queries this for each page of messages.
create index push_subscriptions_wallet on push_subscriptions (walletaddr);
-- A browser belongs to the wallet that has signed in last.
create index push_subscriptions_endpoint on push_subscriptions (endpoint_hash);

-- A wallet was notified of a peer's messages up to this one, at this time.
create table push_marks (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  peer text collate "C" not null,
  told_id bigint not null,
  told_ms bigint not null,
  primary key (wbucket, walletaddr, peer)
);
-- Housekeeping deletes old rows.
create index push_marks_told on push_marks (told_ms);

-- These are keys of the service itself: `vapid`, by which push services know it (RFC 8292). They are made once, for all
-- instances.
create table service_keys (
  name text collate "C" primary key,
  public_key text not null,
  private_key text not null
);

-- A wallet is notified of messages in this Telegram chat. A chat may get the notifications of several wallets.
create table telegram_links (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  chat_id bigint not null,
  -- Telegram shows this name of the person.
  name text not null,
  since_ms bigint not null,
  primary key (wbucket, walletaddr)
);
-- Finds the wallets that use Telegram: few do, and the readers of the log query this for each page of messages.
create index telegram_links_wallet on telegram_links (walletaddr);
-- When a chat stops the bot, or is gone, it gets notifications of no wallet.
create index telegram_links_chat on telegram_links (chat_id);

-- Links a chat to a wallet by one code: it is used once, within ten minutes. A crash may empty the table: then a new code is
-- made.
create unlogged table telegram_codes (
  walletaddr text collate "C" primary key,
  code_hash bytea not null,
  expires_ms bigint not null
);
create index telegram_codes_hash on telegram_codes (code_hash);
create index telegram_codes_expiry on telegram_codes (expires_ms);

-- Says when a chat may get its next message, and as chat 0 the whole bot. A crash may empty the table.
create unlogged table telegram_pace (
  chat_id bigint primary key,
  next_ms bigint not null
);

-- All updates of a bot up to this one are done. The row changes in the transaction of the update.
create table telegram_bots (
  bot_id bigint primary key,
  next_update bigint not null,
  seen_ms bigint not null
);

-- These additions read or write for a wallet after its sign-in has ended: its owner gets a notice about each. A wallet has at
-- most 100.
create table access_notices (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  id bigint not null,
  ms bigint not null,
  -- These have the form of Notice in the contract.
  action text collate "C" not null,
  -- This is the name that its maker gave it, or where it sends to.
  about text not null,
  -- Says whether a mail has named it, and when the last one did.
  mailed_ms bigint,
  primary key (wbucket, walletaddr, id)
);
-- Housekeeping deletes old rows.
create index access_notices_ms on access_notices (ms);

-- Addresses that a wallet wants to be told at of what comes for it (Standard Webhooks 1.0), and what they were told.

create table webhooks (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  id text collate "C" not null,
  url text not null,
  -- Which events: `message.direct`, `request.new`.
  events text[] not null,
  is_on boolean not null default true,
  -- What signs a delivery: 32 bytes for HMAC-SHA256, and a key pair of ed25519; base64.
  secret text not null,
  public_key text not null,
  private_key text not null,
  created_ms bigint not null,
  -- Since when no delivery has succeeded; null when the last one did.
  failing_ms bigint,
  primary key (wbucket, walletaddr, id)
);
-- Whose messages are told: few wallets have one, and the reader of the log asks it for each page.
create index webhooks_wallet on webhooks (walletaddr) where is_on;

create table webhook_deliveries (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  hook text collate "C" not null,
  -- Of the message, or below 0 for a test.
  id bigint not null,
  event text collate "C" not null,
  -- Who wrote.
  peer text collate "C" not null,
  ms bigint not null,
  attempt integer not null default 0,
  -- What the address answered last; 0 is no answer, null before the first try.
  status smallint,
  tried_ms bigint,
  is_done boolean not null default false,
  primary key (wbucket, walletaddr, hook, id)
);
create index webhook_deliveries_waiting on webhook_deliveries (wbucket, walletaddr, hook, id) where not is_done;
-- Old ones are deleted.
create index webhook_deliveries_ms on webhook_deliveries (ms);

-- It begins at the end: nobody had a webhook before.
insert into log_readers (name, id, seen_id, seen_xid)
select 'webhooks', coalesce(max(id), 0), 0, 0 from direct_messages;

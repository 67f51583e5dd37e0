-- At these addresses a wallet gets events (Standard Webhooks 1.0); the other tables have what was sent to them.

create table webhooks (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  -- Each row of a wallet has its own slot, so the wallet cannot have more rows.
  slot smallint not null check (slot between 1 and 5),
  id text collate "C" not null,
  url text not null,
  -- The webhook gets these events, named as in the contract.
  events text[] not null,
  -- The webhook is about this chat or peer only; null is all.
  chat text collate "C",
  peer text collate "C",
  is_on boolean not null default true,
  -- These sign a delivery: 32 bytes for HMAC-SHA256, and a key pair of ed25519; base64.
  secret text not null,
  public_key text not null,
  private_key text not null,
  -- These are the secrets before the last rotation, and until when they sign too.
  old_secret text,
  old_private_key text,
  old_until_ms bigint,
  created_ms bigint not null,
  -- No delivery has succeeded since this time; it is null when the last one did.
  failing_ms bigint,
  -- It changes when the webhook wants other events, or is turned on again.
  version integer not null default 0,
  -- Until this time the workers for slow receivers send its deliveries.
  slow_until_ms bigint not null default 0,
  primary key (wbucket, walletaddr, slot)
);
-- Finds the wallets that have a webhook: few have one, and the reader of the log queries this for each page.
create index webhooks_wallet on webhooks (walletaddr) where is_on;

create table webhook_deliveries (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  hook text collate "C" not null,
  -- This is the id of an entry of the log: of a message, a post or an event. No two tables of the log share an id. It is below 0
  -- for a test.
  id bigint not null,
  event text collate "C" not null,
  -- This wallet wrote it.
  peer text collate "C" not null,
  -- This is the chat; it is null for direct messages.
  chat text collate "C",
  -- This message was deleted; it is null where all of a conversation were.
  about bigint,
  ms bigint not null,
  attempt integer not null default 0,
  -- The address last responded with this status; 0 is no response, null before the first try.
  status smallint,
  tried_ms bigint,
  is_done boolean not null default false,
  -- The receiver of a command has answered this, and it is stored until it is posted; the other column says what became of it. A
  -- command is answered once.
  answer text,
  answered text collate "C" check (answered in ('waiting', 'posted', 'refused')),
  primary key (wbucket, walletaddr, hook, id)
);
create index webhook_deliveries_waiting on webhook_deliveries (wbucket, walletaddr, hook, id) where not is_done;
-- Housekeeping deletes old rows.
create index webhook_deliveries_ms on webhook_deliveries (ms);

-- Says what a webhook must still get: not a row for each post and webhook, but a range of the log. The entries are read from the
-- log when they are due (server/src/features/webhooks/entries.ts).

create table webhook_waiting (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  hook text collate "C" not null,
  -- The posts of this chat wait; it is empty for direct messages.
  chat text collate "C" not null,
  -- This is the webhook's version when they came: it does not get later what it did not want then.
  version integer not null,
  -- The webhook wanted these events in that version, and only about this peer; null is all.
  events text[] not null,
  peer text collate "C",
  -- These are the first entry that may wait, and the last one with its time. All entries up to the last one are visible.
  from_id bigint not null,
  to_id bigint not null,
  to_ms bigint not null,
  primary key (wbucket, walletaddr, hook, chat, version)
) with (fillfactor = 50); -- each page of the log changes `to_id`, which is in no index

-- These entries of the log have no table of their own in which they stay: deletions, and new members. Each is one row for all
-- webhooks, in the bucket of the chat, or of the wallet whose message was deleted.
create table webhook_events (
  bucket integer not null,
  -- This is the word chat, a space and the key of a chat; else it is a wallet.
  place text collate "C" not null,
  id bigint not null,
  event text collate "C" not null,
  -- This wallet wrote what was deleted, or joined.
  peer text collate "C" not null,
  -- This message was deleted; it is null where all of a conversation were.
  about bigint,
  ms bigint not null,
  primary key (bucket, place, id)
);
-- Housekeeping deletes old rows.
create index webhook_events_ms on webhook_events (ms);

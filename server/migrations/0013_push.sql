-- Notifications beside mails: what a wallet wants to be told and when, the browsers that get pushes, and keys of the service.

create table notification_rules (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  -- As the contract has them (NotificationRules).
  rules jsonb not null,
  primary key (wbucket, walletaddr)
);

-- Where a browser gets pushes (RFC 8030), and what encrypts them to it (RFC 8291). At most ten of a wallet.
create table push_subscriptions (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  id text collate "C" not null,
  -- An address of its push service that only this browser and the service know: whoever has it can send to it.
  endpoint text not null,
  endpoint_hash bytea not null,
  p256dh text not null,
  auth text not null,
  label text not null,
  created_ms bigint not null,
  -- What the push service answered last, and when; null before the first push.
  answer smallint,
  answered_ms bigint,
  primary key (wbucket, walletaddr, id)
);
-- Who gets pushes: few do, and the reader of the log asks it for each page of messages.
create index push_subscriptions_wallet on push_subscriptions (walletaddr);
-- A browser belongs to the wallet that has signed in last.
create index push_subscriptions_endpoint on push_subscriptions (endpoint_hash);

-- Up to which message of a peer a wallet was told, and when.
create table push_marks (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  peer text collate "C" not null,
  told_id bigint not null,
  told_ms bigint not null,
  primary key (wbucket, walletaddr, peer)
);
-- Old ones are deleted.
create index push_marks_told on push_marks (told_ms);

-- Keys of the service itself: `vapid`, by which push services know it (RFC 8292). Made once, for all instances.
create table service_keys (
  name text collate "C" primary key,
  public_key text not null,
  private_key text not null
);

-- These tables have operators and their decisions. They are small, and on a cluster they lie on its coordinator; they have no
-- bucket.

-- These wallets moderate the service. Every instance reads the table regularly.
create table operators (
  address text collate "C" primary key,
  added_ms bigint not null
);

-- These wallets are the team of the service: clients show a sign with the label beside their names. Every instance reads the
-- table regularly.
create table officials (
  address text collate "C" primary key,
  label text not null,
  -- This is the operator who has named the wallet, or `command-line`.
  named_by text collate "C" not null,
  since_ms bigint not null
);

-- Says what a wallet or chat may not do, and until when. A row stays for a day after it was lifted or has ended, so that every
-- instance learns of it.
create table sanctions (
  -- This is a wallet, or the key of a chat.
  subject text collate "C" not null,
  kind text collate "C" not null check (kind in ('mute', 'ban', 'shadow_mute', 'close', 'takedown', 'announce', 'hold')),
  -- Null means forever.
  until_ms bigint,
  ms bigint not null,
  -- This is for a community that was taken down: people who want to read it see the reason.
  reason text,
  primary key (subject, kind)
);
-- Every instance regularly reads the recent changes.
create index sanctions_ms on sanctions (ms);

-- This is the log of what operators did, also that they have seen evidence: rows are added and never changed. Each hash covers
-- its row and the hash before (server/src/features/moderation/log.ts), so a row that is changed, inserted or removed is found.
create table moderation_log (
  id bigint primary key,
  ms bigint not null,
  operator text collate "C" not null,
  action text collate "C" not null,
  -- The action is about this wallet or chat; it is empty for none.
  subject text collate "C" not null,
  until_ms bigint,
  reason text not null,
  reports bigint[] not null,
  -- The action is about this message.
  item_id bigint,
  hash bytea not null
);
create index moderation_log_subject on moderation_log (subject, id);

-- This is the end of the chain. Adding a row locks it, so the rows are in one order.
create table moderation_head (
  one boolean primary key default true check (one),
  id bigint not null,
  hash bytea not null
);

-- Wallets make these reports. Disclosed messages are copied, so that deleting a message does not remove it from here.
create sequence report_ids;
create table reports (
  id bigint primary key default nextval('report_ids'),
  -- This is in days since 1970, in UTC: a wallet reports a wallet or chat once a day.
  day integer not null,
  -- It is null when the reporter was erased; then there is a keyed hash of it.
  reporter text collate "C",
  reporter_hash bytea,
  -- This is a wallet, or the key of a chat.
  subject text collate "C" not null,
  is_chat boolean not null,
  reason text collate "C" not null,
  text text,
  weight smallint not null,
  status text collate "C" not null default 'open' check (status in ('open', 'escalated', 'closed')),
  -- This is JSON as text, because a message that was encrypted may have any characters.
  evidence text not null,
  -- Lists show this of the messages, so that they do not read the copies: an array of objects with id and proof.
  items json not null default '[]',
  messages smallint not null default 0,
  -- These of them are direct messages.
  direct_ids bigint[] not null default '{}',
  ms bigint not null,
  -- The report is deleted at this time: some time after it was closed, or its reporter erased.
  expires_ms bigint
);
create unique index reports_once on reports (reporter, subject, day);
-- This is the queue, by weight and by age.
create index reports_weight on reports (status, weight desc, id);
create index reports_age on reports (status, id);
-- This finds the reports about one subject.
create index reports_subject on reports (subject, id);
-- Housekeeping deletes what has expired.
create index reports_expiry on reports (expires_ms) where expires_ms is not null;

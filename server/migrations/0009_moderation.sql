-- Operators and what they decide. These tables are small, and on a cluster they lie on its coordinator; they have no bucket.

-- Wallets that moderate this service. Every instance asks all the time who they are.
create table operators (
  address text collate "C" primary key,
  added_ms bigint not null
);

-- What a wallet or chat may not do, and until when. What is lifted or over stays for a day, so that every instance learns of it.
create table sanctions (
  -- A wallet, or the key of a chat.
  subject text collate "C" not null,
  kind text collate "C" not null check (kind in ('mute', 'ban', 'shadow_mute', 'close', 'takedown', 'hold')),
  -- Null is for ever.
  until_ms bigint,
  ms bigint not null,
  -- Of a community that was taken down: who wants to read it is told why.
  reason text,
  primary key (subject, kind)
);
-- Every instance asks all the time what changed lately.
create index sanctions_ms on sanctions (ms);

-- What operators did, and that they looked at evidence: rows are added and never changed. Each hash covers its row and the hash
-- before (server/src/features/moderation/log.ts), so a row that is changed, added between or taken out is found.
create table moderation_log (
  id bigint primary key,
  ms bigint not null,
  operator text collate "C" not null,
  action text collate "C" not null,
  -- The wallet or chat that it is about; empty for none.
  subject text collate "C" not null,
  until_ms bigint,
  reason text not null,
  reports bigint[] not null,
  -- The message that it is about.
  item_id bigint,
  hash bytea not null
);
create index moderation_log_subject on moderation_log (subject, id);

-- The end of the chain. Who adds a row locks it, so the rows are in one order.
create table moderation_head (
  one boolean primary key default true check (one),
  id bigint not null,
  hash bytea not null
);

-- What wallets report. What they disclose is copied, so that deleting a message does not remove it from here.
create sequence report_ids;
create table reports (
  id bigint primary key default nextval('report_ids'),
  -- Days since 1970, in UTC: a wallet reports a wallet or chat once a day.
  day integer not null,
  -- Null when it was erased; then there is a keyed hash of it.
  reporter text collate "C",
  reporter_hash bytea,
  -- A wallet, or the key of a chat.
  subject text collate "C" not null,
  is_chat boolean not null,
  reason text collate "C" not null,
  text text,
  weight smallint not null,
  status text collate "C" not null default 'open' check (status in ('open', 'escalated', 'closed')),
  -- JSON as text, because a message that was encrypted may have any characters.
  evidence text not null,
  ms bigint not null,
  -- When it is deleted: some time after it was closed, or its reporter erased.
  expires_ms bigint
);
create unique index reports_once on reports (reporter, subject, day);
-- The queue, by weight and by age.
create index reports_weight on reports (status, weight desc, id);
create index reports_age on reports (status, id);
-- What was reported of one.
create index reports_subject on reports (subject, id);
-- Housekeeping deletes what has expired.
create index reports_expiry on reports (expires_ms) where expires_ms is not null;

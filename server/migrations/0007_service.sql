-- The service needs these tables itself. They are small, and on a cluster they lie on its coordinator; they have no bucket.

-- These nonces have signed someone in. Issued ones are not stored: they prove themselves.
create table used_nonces (
  nonce_hash bytea primary key,
  expires_ms bigint not null
);
-- Housekeeping deletes what has expired, without reading the rest.
create index used_nonces_expiry on used_nonces (expires_ms);

-- This has what was signed out: a wallet everywhere, a session, or the holder of one token. A token contains the number of its
-- wallet's last sign-out everywhere; one with a lesser number than the wallet's is no longer valid. Numbers are never used twice,
-- so a row may be deleted when the tokens before it have expired.
create sequence sign_out_ids;
create table sign_outs (
  -- This is a wallet, or the id of a session or token.
  who text collate "C" primary key,
  id bigint not null default nextval('sign_out_ids'),
  ms bigint not null
);
-- Every instance regularly reads the recent sign-outs.
create index sign_outs_ms on sign_outs (ms);

-- Says when sign-ins failed, for a wallet from a network address (as a hash). A row stays until it no longer matters.
create table failed_sign_ins (
  key bytea primary key,
  failures bigint[] not null,
  expires_ms bigint not null
);
create index failed_sign_ins_expiry on failed_sign_ins (expires_ms);

-- Says what was taken from busy token buckets on all instances together. Instances only exchange numbers by it: losing it costs
-- nothing, so it is not logged.
create unlogged table rate_limits (
  meter text collate "C" not null,
  -- This is a wallet or a network address.
  who text collate "C" not null,
  taken bigint not null,
  began_ms bigint not null,
  ms bigint not null,
  primary key (meter, who)
) with (fillfactor = 70);
-- Every instance reads each second what has changed recently.
create index rate_limits_ms on rate_limits (ms);

-- Says when confirmation mails were requested: by a wallet, or as a keyed hash for a mailbox or from a network address. A row
-- stays until it no longer matters.
create table mail_quotas (
  key text collate "C" primary key,
  sent bigint[] not null,
  expires_ms bigint not null
);
create index mail_quotas_expiry on mail_quotas (expires_ms);

-- Counts the mails of a kind that the whole service has sent in an hour of the clock. Each kind has a row.
create table mail_hours (
  kind text collate "C" primary key,
  hour_ms bigint not null,
  mails bigint not null
);

-- This has the recent mails about direct messages to a wallet: when they were sent, the job of the last one, which may retry, and
-- up to which id the wallet's messages were in a mail.
create table dm_mails (
  toaddr text collate "C" primary key,
  sent bigint[] not null,
  job_id bigint not null,
  notified_id bigint not null,
  expires_ms bigint not null
);
create index dm_mails_expiry on dm_mails (expires_ms);

-- Says that a wallet was erased, and when it last was. The hash is keyed: it answers for a known address, and lists none.
create table erasures (
  wallet_hash bytea primary key,
  erased_ms bigint not null
);
-- Housekeeping deletes old rows.
create index erasures_ms on erasures (erased_ms);

-- This has the posts of communities' X accounts, as they were last fetched; all instances share them.
create table community_tweets (
  chat text collate "C" primary key,
  username text not null,
  -- An instance last began to fetch at this time. The instance that changes it is the one that fetches.
  claimed_ms bigint not null,
  -- The tweets have the shape of the contract.
  tweets jsonb not null default '[]'
);

-- X limits a token over all accounts: until this time no instance calls it. The table has at most one row.
create table x_api_pause (
  one boolean primary key default true check (one),
  paused_until_ms bigint not null
);

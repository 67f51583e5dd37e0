-- What the service keeps for itself. These tables are small, and on a cluster they lie on its coordinator; they have no
-- bucket.

-- Nonces that have signed someone in. Issued ones are not stored: they prove themselves.
create table used_nonces (
  nonce_hash bytea primary key,
  expires_ms bigint not null
);
-- Housekeeping deletes what has expired, without reading the rest.
create index used_nonces_expiry on used_nonces (expires_ms);

-- Who has signed out: a wallet everywhere, a session, or the holder of one token. A token carries the number of its wallet's
-- last sign-out everywhere; one with a lesser number than the wallet's is no longer valid. Numbers are never used twice, so a
-- row may be deleted when the tokens it was against have expired.
create sequence sign_out_ids;
create table sign_outs (
  -- A wallet, or the id of a session or token.
  who text collate "C" primary key,
  id bigint not null default nextval('sign_out_ids'),
  ms bigint not null
);
-- Every instance asks all the time who has signed out lately.
create index sign_outs_ms on sign_outs (ms);

-- When sign-ins failed, for a wallet from a network address (as a hash). Kept until it no longer matters.
create table failed_sign_ins (
  key bytea primary key,
  failures bigint[] not null,
  expires_ms bigint not null
);
create index failed_sign_ins_expiry on failed_sign_ins (expires_ms);

-- What was taken from busy token buckets on all instances together. Only a means of talking between them: losing it costs
-- nothing, so it is not logged.
create unlogged table rate_limits (
  meter text collate "C" not null,
  -- A wallet or a network address.
  who text collate "C" not null,
  taken bigint not null,
  began_ms bigint not null,
  ms bigint not null,
  primary key (meter, who)
) with (fillfactor = 70);
-- Every instance asks each second what moved lately.
create index rate_limits_ms on rate_limits (ms);

-- When confirmation mails were asked for: by a wallet, or as a keyed hash for a mailbox or from a network address. Kept until
-- it no longer matters.
create table mail_quotas (
  key text collate "C" primary key,
  sent bigint[] not null,
  expires_ms bigint not null
);
create index mail_quotas_expiry on mail_quotas (expires_ms);

-- How many mails of a kind the whole service has sent in an hour of the clock. A row for each kind.
create table mail_hours (
  kind text collate "C" primary key,
  hour_ms bigint not null,
  mails bigint not null
);

-- The mails about direct messages that a wallet got lately: when, the job of the last one, which may try again, and up to
-- which id its messages were in a mail.
create table dm_mails (
  toaddr text collate "C" primary key,
  sent bigint[] not null,
  job_id bigint not null,
  notified_id bigint not null,
  expires_ms bigint not null
);
create index dm_mails_expiry on dm_mails (expires_ms);

-- That a wallet was erased, and when last. The hash is keyed: it answers for an address one has, and lists none.
create table erasures (
  wallet_hash bytea primary key,
  erased_ms bigint not null
);

-- The posts of communities' X accounts, as they were last fetched; shared by all instances.
create table community_tweets (
  chat text collate "C" primary key,
  username text not null,
  -- When an instance last set out to fetch. The instance that moves it on is the one that fetches.
  claimed_ms bigint not null,
  -- In the shape of the contract.
  tweets jsonb not null default '[]'
);

-- X limits a token over all accounts: until then nobody asks. At most one row.
create table x_api_pause (
  one boolean primary key default true check (one),
  paused_until_ms bigint not null
);

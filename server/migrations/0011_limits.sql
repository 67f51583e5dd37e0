-- What was taken from busy token buckets on all instances together. Only a means of talking between them: losing it costs
-- nothing, so it is not logged.
create unlogged table rate_limits (
  meter text collate "C" not null,
  -- A wallet or a network address.
  who text collate "C" not null,
  taken bigint not null,
  began timestamptz not null,
  at timestamptz not null,
  primary key (meter, who)
) with (fillfactor = 70);

-- Every instance asks each second what moved lately.
create index rate_limits_at on rate_limits (at);

-- When sign-ins failed, for a wallet from a network address (as a hash). Kept until it no longer matters.
create table failed_sign_ins (
  key bytea primary key,
  failures timestamptz[] not null,
  expires_at timestamptz not null
);
create index failed_sign_ins_expiry on failed_sign_ins (expires_at);

create table settings (
  id bigint generated always as identity unique,
  walletaddr text collate "C" primary key,
  domain text,
  email text,
  notify24 boolean not null default false,
  notifydm boolean not null default false,
  signupsite text,
  verified boolean not null default false,
  -- The confirmation under way, if any: what its code follows from, and a keyed hash of the code.
  verification_id uuid,
  verification_hash bytea unique,
  verification_expires_at timestamptz,
  check (email is not null or not verified)
);

-- Every message that is sent asks whether its recipient wants a mail: few do, and this holds only them.
create index settings_notifydm on settings (walletaddr) where notifydm and verified;
-- Who gets the daily summary.
create index settings_notify24 on settings (walletaddr) where notify24 and verified;

-- When confirmation mails were sent, for a wallet or an address (as a hash). Kept until it no longer matters.
create table mail_quotas (
  key text collate "C" primary key,
  sent timestamptz[] not null,
  expires_at timestamptz not null
);
create index mail_quotas_expiry on mail_quotas (expires_at);

-- The last mail about one wallet's messages to another, for as long as there may not be another mail; and the job it was for,
-- which may try again.
create table dm_mails (
  fromaddr text collate "C" not null,
  toaddr text collate "C" not null,
  job_id bigint not null,
  expires_at timestamptz not null,
  primary key (fromaddr, toaddr)
);
create index dm_mails_expiry on dm_mails (expires_at);

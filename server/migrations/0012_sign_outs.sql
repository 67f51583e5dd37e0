-- A token carries the number of its wallet's last sign-out everywhere; one with a lesser number than the wallet's is good no more.
-- Numbers are never used twice, so a row may be forgotten when the tokens it was against have expired.
create sequence sign_out_ids;
create table sign_outs (
  walletaddr text collate "C" primary key,
  id bigint not null default nextval('sign_out_ids'),
  at timestamptz not null default now()
);

-- Every instance asks all the time who has signed out lately.
create index sign_outs_at on sign_outs (at);

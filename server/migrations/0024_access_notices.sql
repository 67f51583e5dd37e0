-- What was added that reads or writes for a wallet after its sign-in has ended: its owner is told of each. At most 100 of a wallet.
create table access_notices (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  id bigint not null,
  ms bigint not null,
  -- As in Notice of the contract.
  action text collate "C" not null,
  -- What its maker calls it, or where it sends to.
  about text not null,
  -- Whether a mail has named it, and when the last one did.
  mailed_ms bigint,
  primary key (wbucket, walletaddr, id)
);
-- Old ones are deleted.
create index access_notices_ms on access_notices (ms);

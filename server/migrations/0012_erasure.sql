-- A wallet that is erased leaves its peers their copies of the conversations: for itself everything up to this id is gone.
-- What neither end can see any more is deleted.
alter table conversations
  add column erased_a bigint not null default 0,
  add column erased_b bigint not null default 0;

-- A community outlives the wallet that created it; nobody is its creator then.
alter table communities alter column creator drop not null;
-- Those of one wallet, to hand them out or to let go of them.
create index communities_creator on communities (creator);

-- A wallet's comments, on one NFT or on all.
create index comments_wallet on comments (fromaddr, thread_id, id);
drop index comments_from;

-- That a wallet was erased, and when last. The hash is keyed: it answers for an address one has, and lists none.
create table erasures (
  wallet_hash bytea primary key,
  erased_at timestamptz not null
);

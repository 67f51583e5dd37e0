-- A wallet or NFT collection has at most one name.
create table names (
  id bigint generated always as identity,
  address text collate "C" primary key,
  -- As it was given, in NFC.
  name text not null,
  -- The same in lower case, for look-ups.
  folded text collate "C" not null,
  domain text,
  signupsite text
);
create index names_folded on names (folded);

-- What a name looks like (UTS #39 skeletons: as written, in lower and in upper case). Two names that share one could
-- be taken for each other, so the primary key decides who has it.
create table name_skeletons (
  skeleton text collate "C" primary key,
  address text collate "C" not null references names on delete cascade
);
-- Giving up a name frees its skeletons.
create index name_skeletons_address on name_skeletons (address);

-- These rows belong to a wallet: its name, picture, key and settings. `wbucket` is the bucket of the wallet.

-- Lists show an address by this row: its name and small picture side by side, which one probe finds, and as JSON, so that nothing
-- is escaped while a list is read. The statements that set a name or a picture write it too. Every list of every bucket reads it,
-- so a cluster has a copy of the whole table on each node; it has no bucket.
create table profiles (
  -- This is a wallet or NFT contract, or the slug of a community in lower case.
  address text collate "C" primary key,
  -- These are JSON strings; null where there is none.
  name text,
  logo text,
  -- A wallet accepts direct messages from these: `everyone`, `requests`, `contacts`, or `holders`, a chain and a contract. Null
  -- is the server's default (DM_DEFAULT).
  dm_policy text
);
-- This takes two thirds of the time of the primary key.
create index profiles_hash on profiles using hash (address);
-- A batch of messages asks whether any of its recipients is in it: most wallets accept messages from everyone.
create index profiles_policy on profiles (address) where dm_policy <> 'everyone';

-- A wallet or NFT collection has at most one name.
create table names (
  wbucket integer not null,
  address text collate "C" not null,
  id bigint not null,
  -- The name is as it was given, in NFC.
  name text not null,
  -- This is the same in lower case, for look-ups.
  folded text collate "C" not null,
  domain text,
  signupsite text,
  primary key (wbucket, address)
);
create index names_folded on names (folded);

-- Says what a name looks like (UTS #39 skeletons: as written, in lower and in upper case). Two names that share one could be
-- confused, so the primary key decides which address has it. It holds over all buckets, so the table has none.
create table name_skeletons (
  skeleton text collate "C" primary key,
  address text collate "C" not null
);
-- This finds the skeletons that become free with a name.
create index name_skeletons_address on name_skeletons (address);

-- This has the names of wallets in ENS, as a job has read them, and which of them a job is about to read. The service reads a
-- limited number a second (LIMIT_CHAIN_NAMES_OF_ALL) and deletes them after two days, so the table stays small and has no bucket.
create table chain_names (
  address text collate "C" primary key,
  -- Null when there is none, and before the chains have answered.
  name text,
  -- The wallet has the name on this chain.
  chain integer,
  -- When the chains answered last.
  named_ms bigint,
  asked_ms bigint not null,
  -- Until then nobody asks again.
  again_ms bigint not null
);
-- Housekeeping deletes names for which nobody has asked again.
create index chain_names_again on chain_names (again_ms);

-- Gives an address its name and frees its earlier one. Returns whether something changed. Another address with a name that looks
-- like it is a unique violation. `p_takes`: an earlier owner loses the name. `p_keeps`: an existing name of the address stays.
--
-- Calls for one address wait for each other at its row in `names`, calls for look-alike names at their skeletons. Skeletons are
-- locked in order, and before any is freed, so calls never wait in a circle. Only two names that two addresses take from each
-- other can deadlock. `profiles` is last, after all other locks.
create function set_name_v1(
  p_ms bigint, p_wbucket integer, p_address text, p_name text, p_folded text, p_skeletons text[],
  p_domain text, p_signupsite text, p_takes boolean, p_keeps boolean
) returns boolean language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_wbucket]);
  earlier text[] := '{}';
  one record;
begin
  if p_takes then
    for one in delete from names where folded = p_folded and address <> p_address returning address loop
      earlier := earlier || one.address;
    end loop;
    delete from name_skeletons where address = any (earlier);
  end if;
  -- This locks the row also when nothing changes.
  insert into names as n (wbucket, address, id, name, folded, domain, signupsite)
  values (p_wbucket, p_address, next_id_v1(p_wbucket, drawn[1]), p_name, p_folded, p_domain, p_signupsite)
  on conflict (wbucket, address) do update set
    name = excluded.name, folded = excluded.folded,
    domain = coalesce(excluded.domain, n.domain), signupsite = coalesce(excluded.signupsite, n.signupsite)
  where not p_keeps and (n.name <> excluded.name or n.domain is distinct from coalesce(excluded.domain, n.domain)
    or n.signupsite is distinct from coalesce(excluded.signupsite, n.signupsite));
  if not found then
    return false;
  end if;
  insert into name_skeletons (skeleton, address)
  select s, p_address from unnest(p_skeletons) s order by s collate "C" on conflict do nothing;
  perform from name_skeletons where skeleton = any (p_skeletons) and address <> p_address limit 1;
  if found then
    raise unique_violation using message = 'another address has this name, or one that looks like it';
  end if;
  delete from name_skeletons where address = p_address and skeleton <> all (p_skeletons);
  for one in select a as address from unnest(earlier || p_address) a order by a collate "C" loop
    if one.address = p_address then
      insert into profiles (address, name) values (p_address, to_json(p_name)::text)
      on conflict (address) do update set name = excluded.name;
    else
      update profiles set name = null where address = one.address;
      delete from profiles where address = one.address and name is null and logo is null and dm_policy is null;
    end if;
  end loop;
  return true;
end $$;

create table images (
  wbucket integer not null,
  -- This is a wallet or NFT contract, or the slug of a community in lower case.
  addr text collate "C" not null,
  id bigint not null,
  -- The picture was sent as this, which is empty or the beginning of a data URL, and then the base64 of its bytes.
  prefix text not null,
  -- The bytes are in the store of files (server/src/files/store.ts): this part of a file whose id has the bucket, as ids of files
  -- of messages have it.
  file text collate "C" not null,
  part text not null,
  size integer not null,
  sha256 bytea not null,
  -- Pages show this: a data URL of at most 32 KiB, drawn from the original. The small picture for lists is in `profiles`.
  shown text not null,
  primary key (wbucket, addr)
);
-- Pictures are compressed already: they are stored outside of the row, without another attempt.
alter table images alter column shown set storage external;
-- This finds which objects of the store count.
create index images_file on images (wbucket, file);

-- Stores a picture in place of the existing one, and its small picture. Its bytes are in the store already; those of the existing
-- one are left to be deleted (0020_files.sql). Returns its id.
create function set_image_v1(
  p_ms bigint, p_wbucket integer, p_addr text, p_prefix text, p_file text, p_part text, p_size integer, p_sha256 bytea,
  p_shown text, p_logo text
) returns bigint language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_wbucket]);
  image_id bigint;
  replaced text;
begin
  -- Of two at once the second waits, and then replaces the picture of the first. It begins again where that is deleted meanwhile.
  loop
    select i.file into replaced from images i where i.wbucket = p_wbucket and i.addr = p_addr for update;
    if found then
      update images set prefix = p_prefix, file = p_file, part = p_part, size = p_size, sha256 = p_sha256, shown = p_shown
      where wbucket = p_wbucket and addr = p_addr returning id into image_id;
      perform forget_blobs_v1(p_wbucket, array[replaced], array[''], array[0::bigint]);
    else
      insert into images (wbucket, addr, id, prefix, file, part, size, sha256, shown)
      values (p_wbucket, p_addr, next_id_v1(p_wbucket, drawn[1]), p_prefix, p_file, p_part, p_size, p_sha256, p_shown)
      on conflict (wbucket, addr) do nothing returning id into image_id;
    end if;
    exit when image_id is not null;
  end loop;
  insert into profiles (address, logo) values (p_addr, to_json(p_logo)::text)
  on conflict (address) do update set logo = excluded.logo;
  return image_id;
end $$;

-- Deletes the name of an address, which is then free. It locks in the order of set_name_v1. Returns whether there was one.
create function delete_name_v1(p_wbucket integer, p_address text) returns boolean language plpgsql as $$
begin
  delete from names where wbucket = p_wbucket and address = p_address;
  if not found then
    return false;
  end if;
  delete from name_skeletons where address = p_address;
  update profiles set name = null where address = p_address;
  delete from profiles where address = p_address and name is null and logo is null and dm_policy is null;
  return true;
end $$;

-- Deletes the picture of an address. It locks in the order of set_image_v1. Returns whether there was one.
create function delete_image_v1(p_wbucket integer, p_addr text) returns boolean language plpgsql as $$
declare
  gone text;
begin
  delete from images where wbucket = p_wbucket and addr = p_addr returning file into gone;
  if not found then
    return false;
  end if;
  perform forget_blobs_v1(p_wbucket, array[gone], array[''], array[0::bigint]);
  update profiles set logo = null where address = p_addr;
  delete from profiles where address = p_addr and name is null and logo is null and dm_policy is null;
  return true;
end $$;

-- Deletes the name, the picture and the policy of an address. A name or picture that it does not find, because it is being set at
-- the same time, stays as a whole.
create function delete_profile_v1(p_wbucket integer, p_address text) returns void language plpgsql as $$
declare
  had_name boolean;
  had_picture boolean;
  gone text;
begin
  delete from names where wbucket = p_wbucket and address = p_address;
  had_name := found;
  if had_name then
    delete from name_skeletons where address = p_address;
  end if;
  delete from images where wbucket = p_wbucket and addr = p_address returning file into gone;
  had_picture := found;
  if had_picture then
    perform forget_blobs_v1(p_wbucket, array[gone], array[''], array[0::bigint]);
  end if;
  update profiles set name = case when not had_name then name end, logo = case when not had_picture then logo end, dm_policy = null
  where address = p_address;
  delete from profiles where address = p_address and name is null and logo is null and dm_policy is null;
end $$;

-- Other wallets encrypt with this key to write to a wallet. The service reads none of these texts.
create table keys (
  wbucket integer not null,
  address text collate "C" not null,
  public_key text not null,
  signature text not null,
  backup text not null,
  updated_ms bigint not null,
  primary key (wbucket, address)
);

-- The private keys of wallets that were made in a page, each encrypted under a passkey. Its name and its data are base64url: both are
-- made from what the passkey alone gives, so nobody finds or opens one without it.
create table guest_keys (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  slot smallint not null,
  name text collate "C" not null,
  data text collate "C" not null,
  created_ms bigint not null,
  primary key (wbucket, walletaddr, slot),
  unique (wbucket, walletaddr, name)
);

-- The host of PUBLIC_URL at which the service began: one row. Passkeys belong to it.
create table first_host (
  one boolean primary key check (one),
  host text not null
);

-- A wallet stays signed in in these browsers. Their tokens are not here, not even as hashes: a token is a MAC over the id and the
-- generation (server/src/features/sign-in/session-token.ts).
create table sessions (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  id text collate "C" not null,
  -- Counts how often its token was replaced.
  generation integer not null default 0,
  -- An example is "Firefox on Linux".
  browser text not null,
  created_ms bigint not null,
  -- Its token was last replaced at this time.
  used_ms bigint not null,
  -- Of one that another browser has handed over: the kind of that browser, and when the wallet had signed in there.
  handed_by text,
  signed_ms bigint,
  -- Of a sign-in with scopes: the site that has its token, what the token may do, and until when it is valid.
  origin text,
  scopes text[],
  expires_ms bigint,
  primary key (wbucket, walletaddr, id)
);
-- Housekeeping ends the idle ones.
create index sessions_used on sessions (used_ms);
-- Housekeeping ends the sites whose tokens have expired.
create index sessions_expired on sessions (expires_ms) where expires_ms is not null;

-- A wallet on its way into a second browser: one at a time, for five minutes. Both secrets are here as hashes. A crash may empty the
-- table: then a new link is made.
create unlogged table handovers (
  walletaddr text collate "C" primary key,
  -- The link has this code.
  code_hash bytea not null,
  expires_ms bigint not null,
  -- The session of the browser that made the link, the kind of that browser, and when the wallet had signed in there.
  session text collate "C" not null,
  browser text not null,
  signed_ms bigint not null,
  -- The browser that has opened the link: the secret that it has made, its kind, the number that it shows, and the three to choose
  -- from.
  claim_hash bytea,
  opener text,
  number smallint,
  numbers smallint[],
  is_confirmed boolean not null default false,
  sealed text,
  -- The session that the new browser has got.
  given text collate "C"
);
create unique index handovers_code on handovers (code_hash);
create unique index handovers_claim on handovers (claim_hash);
create index handovers_expiry on handovers (expires_ms);

create table settings (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  id bigint not null,
  domain text,
  email text,
  notify24 boolean not null default false,
  notifydm boolean not null default false,
  signupsite text,
  verified boolean not null default false,
  -- This is the pending confirmation, if any: its code follows from the id, and the hash is a keyed hash of the code.
  verification_id uuid,
  verification_hash bytea,
  verification_expires_ms bigint,
  primary key (wbucket, walletaddr),
  check (email is not null or not verified)
);
-- This finds a code that a person enters.
create index settings_verification on settings (verification_hash) where verification_hash is not null;
-- These find the wallets that get a mail about direct messages, and those that get the daily summary: few do, and the indexes
-- hold only them.
create index settings_notifydm on settings (walletaddr) where notifydm and verified;
create index settings_notify24 on settings (walletaddr) where notify24 and verified;
-- This finds the wallets that can get a mail about an announcement.
create index settings_verified on settings (walletaddr) where verified;

-- Makes sure that a wallet has a row, and locks it: a deletion at the same time comes before or after.
create function add_settings_v1(p_ms bigint, p_wbucket integer, p_walletaddr text) returns void language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_wbucket]);
begin
  insert into settings (wbucket, walletaddr, id) values (p_wbucket, p_walletaddr, next_id_v1(p_wbucket, drawn[1]))
  on conflict (wbucket, walletaddr) do update set walletaddr = excluded.walletaddr;
end $$;

-- This has what a wallet that is muted unseen has changed of itself and of its communities since. Only this wallet sees it,
-- others see the earlier state. It is deleted when the mute has ended.
create table unseen_changes (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  -- This is `name`, `picture` of an address, `social` or `about` of a community, `community`, which the wallet has created, or `room`.
  kind text collate "C" not null check (kind in ('name', 'picture', 'social', 'about', 'community', 'room')),
  -- This is the address, or the key of the community or the room.
  about text collate "C" not null,
  id bigint not null,
  -- The value is JSON.
  value text not null,
  ms bigint not null,
  primary key (wbucket, walletaddr, kind, about)
);
-- Pictures are compressed already.
alter table unseen_changes alter column value set storage external;

-- Stores a change in place of the one before. Returns its id.
create function keep_unseen_v1(
  p_ms bigint, p_wbucket integer, p_walletaddr text, p_kind text, p_about text, p_value text
) returns bigint language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_wbucket]);
  kept bigint;
begin
  insert into unseen_changes (wbucket, walletaddr, kind, about, id, value, ms)
  values (p_wbucket, p_walletaddr, p_kind, p_about, next_id_v1(p_wbucket, drawn[1]), p_value, p_ms)
  on conflict (wbucket, walletaddr, kind, about) do update set value = excluded.value, ms = excluded.ms
  returning id into kept;
  return kept;
end $$;

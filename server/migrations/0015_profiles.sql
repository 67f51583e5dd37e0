-- How an address is shown in lists: its name and small picture side by side, which one probe finds, and as JSON, so that
-- nothing is escaped while a list is read. What is true stands in `names` and `images`; this follows them.
create table profiles (
  -- A wallet or NFT contract, or the slug of a community in lower case.
  address text collate "C",
  -- JSON strings; null where there is none.
  name text,
  logo text
);

create function show_name() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update profiles set name = null where address = old.address;
    delete from profiles where address = old.address and name is null and logo is null;
  else
    insert into profiles (address, name) values (new.address, to_json(new.name)::text)
    on conflict (address) do update set name = excluded.name;
  end if;
  return null;
end $$;

create function show_picture() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    update profiles set logo = null where address = old.addr;
    delete from profiles where address = old.addr and name is null and logo is null;
  else
    insert into profiles (address, logo) values (new.addr, to_json(new.thumbnail)::text)
    on conflict (address) do update set logo = excluded.logo;
  end if;
  return null;
end $$;

-- At the end of a transaction, when it has all other locks it needs: so nobody who has changed a name waits for somebody who
-- has changed a picture and waits for that name.
create constraint trigger show_name after insert or delete or update of name on names
  deferrable initially deferred for each row execute function show_name();
create constraint trigger show_picture after insert or delete or update of thumbnail on images
  deferrable initially deferred for each row execute function show_picture();

-- Names and pictures are not set meanwhile, as the triggers' making holds off who would: four seconds for a million.
insert into profiles (address, name, logo)
  select coalesce(n.address, i.addr), to_json(n.name)::text, to_json(i.thumbnail)::text
  from names n full join images i on i.addr = n.address;
alter table profiles add primary key (address);
-- As with names (0014): found in two thirds of the time.
create index profiles_hash on profiles using hash (address);

-- This has what a wallet has decided about others: its own names for them, and whom it has muted. The row of their conversation
-- (0003_direct_messages.sql) says whether it has accepted, ignored or blocked a wallet, because a send reads that anyway.

create table contacts (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  peer text collate "C" not null,
  -- The wallet gave it this name; nobody else sees it.
  alias text,
  -- The wallet gets no notifications of its messages until this time, 2^53 - 1 means forever; null is not muted.
  muted_until_ms bigint,
  -- The contact has had its present state since this time.
  since_ms bigint not null,
  primary key (wbucket, walletaddr, peer)
);

-- Says how the conversations went that a wallet began, by the day (since 1970, in UTC): their number, and how many of the others
-- have accepted it. They are counted again from time to time while the wallet begins others
-- (server/src/limits/first-contacts.ts).
create table first_contacts (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  day integer not null,
  asked integer not null,
  accepted integer not null,
  primary key (wbucket, walletaddr, day)
);
-- This finds the rows of last month.
create index first_contacts_day on first_contacts (day);

-- Makes the JSON of a mute's end: RFC 3339, `forever`, or null when it is over.
create function muted_until_v1(p_ms bigint, p_until bigint) returns jsonb language sql stable parallel safe as $$
  select case
    when p_until = 9007199254740991 then to_jsonb('forever'::text)
    when p_until > p_ms
      then to_jsonb(to_char(to_timestamp(p_until::float8 / 1000) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    else 'null'::jsonb
  end
$$;

-- Changes what a wallet has decided about another. In the row of their conversation, which is made where there is none, it
-- changes the state and the block; null stays as it is. In the contact it changes what is given with `p_sets_…`. Returns the new
-- values; no row when the wallet has `p_most` contacts, and would need another one to store this.
create function set_contact_v1(
  p_ms bigint, p_bucket integer, p_wbucket integer, p_wallet text, p_peer text, p_state smallint, p_blocked boolean,
  p_sets_alias boolean, p_alias text, p_sets_mute boolean, p_muted_until bigint, p_most integer, p_event jsonb
) returns table (state smallint, blocked boolean, alias text, muted_until_ms bigint, since_ms bigint) language plpgsql as $$
#variable_conflict use_column
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket, p_wbucket]);
  of_a constant text := least(p_wallet collate "C", p_peer);
  of_b constant text := greatest(p_wallet collate "C", p_peer);
  is_a constant boolean := p_wallet = of_a;
  c conversations;
  known contacts;
  is_known boolean;
  is_full boolean := false;
  new_state smallint;
  new_blocked boolean;
  new_alias text;
  new_muted bigint;
  has_changed boolean;
begin
  -- Two changes of one contact at once come one after the other. Of two new contacts the second counts the first.
  perform from contacts where wbucket = p_wbucket and walletaddr = p_wallet and peer = p_peer for update;
  if not found then
    perform lock_usage_v1(p_wbucket, p_wallet, (p_ms / 86400000)::integer);
    is_full := (select count(*) from contacts where wbucket = p_wbucket and walletaddr = p_wallet) >= p_most;
  end if;
  if not is_full then
    insert into conversations (bucket, a, b, id, last_ms) values (p_bucket, of_a, of_b, next_id_v1(p_bucket, drawn[1]), 0)
    on conflict (bucket, a, b) do nothing;
  end if;
  select * into c from conversations where bucket = p_bucket and a = of_a and b = of_b for update;
  if not found or (is_full and (p_sets_alias or p_sets_mute)) then
    return;
  end if;
  select * into known from contacts where wbucket = p_wbucket and walletaddr = p_wallet and peer = p_peer;
  is_known := found;
  new_state := coalesce(p_state, case when is_a then c.state_a else c.state_b end);
  new_blocked := coalesce(p_blocked, case when is_a then c.blocked_a else c.blocked_b end);
  new_alias := case when p_sets_alias then p_alias else known.alias end;
  new_muted := case when p_sets_mute then p_muted_until else known.muted_until_ms end;
  has_changed := (new_state, new_blocked)
    is distinct from case when is_a then (c.state_a, c.blocked_a) else (c.state_b, c.blocked_b) end;

  if has_changed then
    update conversations set
      state_a = case when is_a then new_state else state_a end,
      state_b = case when is_a then state_b else new_state end,
      blocked_a = case when is_a then new_blocked else blocked_a end,
      blocked_b = case when is_a then blocked_b else new_blocked end,
      -- A wallet that was accepted and no longer is begins again at 0.
      asked_a = case when not is_a and state_b = 1 then 0 else asked_a end,
      asked_b = case when is_a and state_a = 1 then 0 else asked_b end,
      asked_bytes_a = case when not is_a and state_b = 1 then 0 else asked_bytes_a end,
      asked_bytes_b = case when is_a and state_a = 1 then 0 else asked_bytes_b end
    where bucket = p_bucket and a = of_a and b = of_b;
  end if;
  -- A contact without content is not stored.
  if new_state = 0 and not new_blocked and new_alias is null and new_muted is null then
    delete from contacts where wbucket = p_wbucket and walletaddr = p_wallet and peer = p_peer;
    delete from conversations where bucket = p_bucket and a = of_a and b = of_b and last_ms = 0
      and state_a = 0 and state_b = 0 and not blocked_a and not blocked_b;
  elsif not is_full then
    insert into contacts as k (wbucket, walletaddr, peer, alias, muted_until_ms, since_ms)
    values (p_wbucket, p_wallet, p_peer, new_alias, new_muted, p_ms)
    on conflict (wbucket, walletaddr, peer) do update set alias = excluded.alias, muted_until_ms = excluded.muted_until_ms,
      since_ms = case when has_changed then excluded.since_ms else k.since_ms end;
  end if;
  if has_changed or new_alias is distinct from known.alias or new_muted is distinct from known.muted_until_ms then
    perform announce_v1(p_ms, p_wbucket, drawn[2:], array[p_wallet], p_event || jsonb_build_object(
      'state', case when new_blocked then 'blocked' else (array['unknown', 'accepted', 'ignored'])[new_state + 1] end,
      'muted_until', muted_until_v1(p_ms, new_muted)));
  end if;
  return query select new_state, new_blocked, new_alias, new_muted, case
    when is_full or (new_state = 0 and not new_blocked and new_alias is null and new_muted is null) then null
    when is_known and not has_changed then known.since_ms
    else p_ms
  end;
end $$;

-- Gives those of some conversations of a bucket that still are requests to a wallet another state. Returns how many.
create function decide_requests_v1(p_bucket integer, p_ids bigint[], p_wallet text, p_state smallint) returns bigint
language plpgsql as $$
declare
  decided bigint;
begin
  perform from conversations where bucket = p_bucket and id = any (p_ids) order by a, b for update;
  update conversations set
    state_a = case when a = p_wallet then p_state else state_a end,
    state_b = case when b = p_wallet then p_state else state_b end
  where bucket = p_bucket and id = any (p_ids)
    and case when a = p_wallet then state_a = 0 and not blocked_a else state_b = 0 and not blocked_b end;
  get diagnostics decided = row_count;
  return decided;
end $$;

-- Mutes a chat that a wallet has joined; a call that changes nothing is not announced. Returns whether the wallet has joined it.
create function mute_chat_v1(
  p_ms bigint, p_wbucket integer, p_wallet text, p_chat text, p_muted_until bigint, p_event jsonb
) returns boolean language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_wbucket]);
  before record;
  of_community bigint;
  new_muted bigint := p_muted_until;
begin
  -- A room is muted with its community; 0 says that it is not.
  if p_muted_until is null and strpos(p_chat, '/') > 0 then
    select muted_until_ms into of_community from bookmarks
    where wbucket = p_wbucket and walletaddr = p_wallet and chat = split_part(p_chat, '/', 1);
    new_muted := case when of_community > p_ms then 0 end;
  end if;
  select muted_until_ms into before from bookmarks
  where wbucket = p_wbucket and walletaddr = p_wallet and chat = p_chat for update;
  if not found then
    return false;
  end if;
  if before.muted_until_ms is distinct from new_muted then
    update bookmarks set muted_until_ms = new_muted where wbucket = p_wbucket and walletaddr = p_wallet and chat = p_chat;
    perform announce_v1(p_ms, p_wbucket, drawn, array[p_wallet], p_event);
  end if;
  return true;
end $$;

-- Announces that a wallet has changed its decisions about others.
create function announce_contacts_v1(p_ms bigint, p_wbucket integer, p_wallet text, p_event jsonb) returns void
language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_wbucket]);
begin
  perform announce_v1(p_ms, p_wbucket, drawn, array[p_wallet], p_event);
end $$;

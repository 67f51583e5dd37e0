-- Group chats are communities, and the chats of NFTs. Chats compare by `chat`: the lower-case form of a community's slug or of an
-- NFT chat's key.

create table communities (
  bucket integer not null,
  chat text collate "C" not null,
  -- The creator wrote it like this.
  community text not null,
  -- It is null when the creator was erased: a community outlives the wallet that created it.
  creator text collate "C",
  social jsonb not null default '[]',
  created_ms bigint not null,
  primary key (bucket, chat)
);
-- This finds the communities of one wallet, for its export and its erasure.
create index communities_creator on communities (creator);
-- This finds communities whose names begin alike.
create index communities_chat on communities (chat);

-- Says what the name of a community looks like, as name_skeletons does for wallets. The primary key decides which community has a
-- skeleton, over all buckets, so the table has none. Skeletons are never freed, as communities are not.
create table community_skeletons (
  skeleton text collate "C" primary key,
  chat text collate "C" not null
);

-- Each chat that has a message or a member has one row: it says what an inbox or a landing page needs without counting.
create table group_chats (
  bucket integer not null,
  chat text collate "C" not null,
  -- The community's creator wrote it like this, or the first use of an NFT chat's key.
  nftaddr text not null,
  context_type text not null check (context_type in ('nft', 'community')),
  -- This is the chain of the contract that the chat of an NFT is about: one address may be another contract on another chain. It
  -- is set once, when the first holder is let in or the chat is claimed, and never changes (server/src/messages/home-chains.ts).
  -- It is null in a community, and until then.
  home_chain bigint,
  -- This is the time of the newest message; the next one is later.
  last_ms bigint not null default 0,
  -- This is the time of the newest withheld message: the next post is later, so that its author sees times in order.
  withheld_ms bigint not null default 0,
  -- These count the messages, and the wallets that have joined.
  posted bigint not null default 0,
  -- This counts the messages that retention has deleted: they are the oldest ones.
  expired bigint not null default 0,
  members bigint not null default 0 check (members >= 0),
  -- This is a copy of the newest message, as in conversations.
  last_id bigint,
  last_fromaddr text collate "C",
  last_item text,
  copy_ms bigint,
  copy_version integer,
  primary key (bucket, chat)
) with (fillfactor = 70); -- counters change with every message: room for updates that touch no index

-- This finds the largest communities. The number of members changes when a wallet joins or leaves, never with a message.
create index group_chats_members on group_chats (members desc, chat) where context_type = 'community' and members > 0;

create table group_messages (
  bucket integer not null,
  chat text collate "C" not null,
  id bigint not null,
  fromaddr text collate "C" not null,
  -- It is empty when the message was removed: the row stays, so that unread counts stay right.
  message text not null,
  ms bigint not null,
  -- This says who has removed it; it is null when the message is there.
  removed_by text collate "C" check (removed_by in ('author', 'moderator', 'operator')),
  -- This says what a list has besides, as in direct_messages.
  marks smallint not null default 0,
  -- This is the id of the message of the chat that it replies to, as in direct_messages.
  reply_to bigint,
  -- These are its reactions in the JSON of lists, as those see them who have not reacted; null for none (0017).
  reacted text,
  -- These say how often and when it was edited, null for never; what stood before; and what its author alone sees (0019).
  rev smallint,
  edited_ms bigint,
  edits jsonb,
  own jsonb,
  -- This is what the message shows of its files, as in direct_messages.
  files jsonb,
  -- This is for a chat's history and its last message. Ids are drawn under the chat's lock, so they are in the order of time.
  primary key (bucket, chat, id)
);
-- A reader of one machine's log reads it in the order of ids.
create index group_messages_id on group_messages (id);
-- This finds texts that only their author sees, for its erasure.
create index group_messages_own on group_messages (bucket, chat, id) where marks & 16 <> 0;

-- Nobody but their authors sees these posts, and authors cannot notice it: an operator has muted the wallet unseen, or the post
-- is held until a moderator has reviewed it. They lie apart from the others, so that no list, count or event of others can have
-- one.
create table withheld_posts (
  bucket integer not null,
  chat text collate "C" not null,
  id bigint not null,
  fromaddr text collate "C" not null,
  message text not null,
  ms bigint not null,
  removed_by text collate "C",
  -- This is true when a moderator must review it.
  held boolean not null default false,
  -- This says what a list has besides, as in direct_messages.
  marks smallint not null default 0,
  reply_to bigint,
  rev smallint,
  edited_ms bigint,
  edits jsonb,
  files jsonb,
  -- This is for the author's part of a chat's history.
  primary key (bucket, chat, fromaddr, id)
);
-- This is for the log of one machine, in the order of ids; and for one post.
create index withheld_posts_id on withheld_posts (id);
-- This finds what waits for a moderator.
create index withheld_posts_held on withheld_posts (bucket, chat, id) where held;
-- This finds the newest one of a chat.
create index withheld_posts_chat on withheld_posts (bucket, chat, ms);

-- Says what a wallet did in a chat; it is written when the wallet posts, enters, joins or leaves, never when others do. Unread is
-- what was posted since it entered (group_chats.posted - seen) less its own messages since then (posted - seen_own). It lies with
-- the chat, so that a post is one commit on one node.
create table group_visits (
  bucket integer not null,
  chat text collate "C" not null,
  walletaddr text collate "C" not null,
  -- These count the wallet's own messages, and those of them that retention has deleted.
  posted bigint not null default 0,
  expired_own bigint not null default 0,
  -- These are the last message that the wallet has read, its time, and both numbers up to there.
  seen_id bigint not null default 0,
  entry_ms bigint,
  seen bigint not null default 0,
  seen_own bigint not null default 0,
  -- These count its withheld messages and those that it has read, and name the last one: no other number includes them.
  withheld bigint not null default 0,
  seen_withheld bigint not null default 0,
  withheld_id bigint not null default 0,
  -- In a chat with slow mode the wallet may post again at this time.
  next_post_ms bigint not null default 0,
  -- This is true when the wallet has a bookmark of the chat. Bookmarks lie with their wallets; a read of one chat checks this
  -- column.
  joined boolean not null default false,
  -- This is true when the wallet is notified of each message, not only of those that mention it. It has no effect where the
  -- wallet has not joined.
  tell_all boolean not null default false,
  -- This is true when the wallet has agreed to the announcements of the chat. It ends when the wallet leaves.
  announcements boolean not null default false,
  -- This is true when the wallet has left a room: it does not join it by itself again.
  has_left boolean not null default false,
  primary key (bucket, chat, walletaddr)
) with (fillfactor = 70);
-- This lists the members of a chat, in pages.
create index group_visits_joined on group_visits (bucket, chat, walletaddr) where joined;
-- The reader of the log notifies these wallets of each message of a chat.
create index group_visits_told on group_visits (bucket, chat, walletaddr) where joined and tell_all;
-- An announcement notifies these wallets, in portions.
create index group_visits_announced on group_visits (bucket, chat, walletaddr) where joined and announcements;
-- This finds the chats that a wallet has visited, for its export and its erasure.
create index group_visits_wallet on group_visits (walletaddr, chat);
-- Counts of what is unread read the joined chats of a wallet, and not all those that it has entered.
create index group_visits_of_wallet on group_visits (walletaddr) where joined;

-- A wallet has joined these chats.
create table bookmarks (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  chat text collate "C" not null,
  -- This is the bucket of the chat.
  bucket integer not null,
  id bigint not null,
  -- The wallet wrote the key like this.
  nftaddr text not null,
  chain text not null,
  -- The wallet is not notified of the chat until this time, 2^53 - 1 means forever; null is not muted.
  muted_until_ms bigint,
  primary key (wbucket, walletaddr, chat)
);

-- This part of post_group_message_v1 stores a message for its author alone. It changes no number and no time that others see, but
-- takes an id and a time of the chat.
create function withhold_post_v1(
  p_ms bigint, p_bucket integer, p_drawn bigint, p_chat text, p_nftaddr text, p_context_type text, p_fromaddr text,
  p_message text, p_held boolean, p_caller text, p_key text, p_reply_to bigint
) returns table (id bigint, ms bigint, sender_name text, refused text, nftaddr text, context_type text) language plpgsql as $$
#variable_conflict use_column
declare
  moved record;
  new_id bigint;
  name constant text := (select p.name from profiles p where p.address = p_fromaddr);
begin
  insert into group_chats as c (bucket, chat, nftaddr, context_type, withheld_ms)
  values (p_bucket, p_chat, p_nftaddr, p_context_type, p_ms)
  on conflict (bucket, chat) do update set
    withheld_ms = greatest(excluded.withheld_ms, c.last_ms + 1, c.withheld_ms + 1)
  where greatest(c.last_ms, c.withheld_ms) < p_ms + 2000
  returning c.nftaddr, c.context_type, c.withheld_ms as ms into moved;
  if not found then
    delete from idempotency_keys where bucket = p_bucket and caller = p_caller and key = p_key;
    return query select null::bigint, null::bigint, null, 'too-fast', null, null;
    return;
  end if;
  new_id := next_id_v1(p_bucket, p_drawn);
  insert into group_visits as v (bucket, chat, walletaddr, withheld, withheld_id) values (p_bucket, p_chat, p_fromaddr, 1, new_id)
  on conflict (bucket, chat, walletaddr) do update set withheld = v.withheld + 1, withheld_id = excluded.withheld_id;
  insert into withheld_posts (bucket, chat, id, fromaddr, message, ms, held, reply_to, marks)
  values (p_bucket, p_chat, new_id, p_fromaddr, p_message, moved.ms, p_held, p_reply_to,
    case when p_reply_to is null then 0 else 8 end);
  if p_key is not null then
    update idempotency_keys set answer = json_build_object('id', new_id, 'ms', moved.ms, 'name', name)
    where bucket = p_bucket and caller = p_caller and key = p_key;
  end if;
  return query select new_id, moved.ms, name, null, moved.nftaddr, moved.context_type;
end $$;

-- Stores one message in a group chat, as send_direct_message_v1 does. The result also has the chat as people see it. It writes
-- the rows of the chat and of the sender, none for other members. With `p_withheld` it is stored for its author alone, and with
-- `p_held` until a moderator has reviewed it. A wallet waits `p_slow_ms` between two messages: before that `refused` is `slow`,
-- and `ms` is when the wallet may post. It is `no-quoted` where it replies to a message that its author does not see in this chat.
create function post_group_message_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_nftaddr text, p_context_type text,
  p_fromaddr text, p_message text, p_copy text, p_copy_version integer,
  p_caller text, p_key text, p_request bytea,
  p_withheld boolean default false, p_held boolean default false, p_slow_ms bigint default 0, p_reply_to bigint default null
) returns table (id bigint, ms bigint, sender_name text, refused text, nftaddr text, context_type text) language plpgsql as $$
#variable_conflict use_column
declare
  new_id bigint;
  next_ms bigint;
  drawn constant bigint := (draw_ids_v1(p_ms, array[p_bucket]))[1];
  earlier record;
  moved record;
  sender_name constant text := (select p.name from profiles p where p.address = p_fromaddr);
begin
  if p_key is not null then
    select * into earlier from claim_key_v1(p_ms, p_bucket, p_caller, p_key, p_request);
    if found then
      return query
        select earlier.id, earlier.ms, earlier.sender_name, earlier.refused, c.nftaddr, c.context_type
        from buckets l left join group_chats c on c.bucket = p_bucket and c.chat = p_chat where l.bucket = p_bucket;
      return;
    end if;
  end if;

  if p_reply_to is not null then
    perform from group_messages where bucket = p_bucket and chat = p_chat and id = p_reply_to and removed_by is null;
    if not found then
      perform from withheld_posts
      where bucket = p_bucket and chat = p_chat and fromaddr = p_fromaddr and id = p_reply_to and removed_by is null;
    end if;
    if not found then
      delete from idempotency_keys where bucket = p_bucket and caller = p_caller and key = p_key;
      return query select null::bigint, null::bigint, null, 'no-quoted', null, null;
      return;
    end if;
  end if;
  if p_slow_ms > 0 then
    -- Of two posts at once the second waits here, also when they are the first ones of a chat, which has no row yet.
    insert into group_chats (bucket, chat, nftaddr, context_type) values (p_bucket, p_chat, p_nftaddr, p_context_type)
    on conflict (bucket, chat) do nothing;
    perform from group_chats where bucket = p_bucket and chat = p_chat for update;
    select v.next_post_ms into next_ms from group_visits v where v.bucket = p_bucket and v.chat = p_chat and v.walletaddr = p_fromaddr;
    if next_ms > p_ms then
      delete from idempotency_keys where bucket = p_bucket and caller = p_caller and key = p_key;
      return query select null::bigint, next_ms, null, 'slow', null, null;
      return;
    end if;
    insert into group_visits as v (bucket, chat, walletaddr, next_post_ms) values (p_bucket, p_chat, p_fromaddr, p_ms + p_slow_ms)
    on conflict (bucket, chat, walletaddr) do update set next_post_ms = excluded.next_post_ms;
  end if;
  if p_withheld then
    return query select * from withhold_post_v1(
      p_ms, p_bucket, drawn, p_chat, p_nftaddr, p_context_type, p_fromaddr, p_message, p_held, p_caller, p_key, p_reply_to);
    return;
  end if;

  -- This locks the chat and moves its time on by at least a millisecond. The id is drawn under the lock.
  new_id := next_id_v1(p_bucket, drawn);
  insert into group_chats as c (
    bucket, chat, nftaddr, context_type, last_ms, posted, last_id, last_fromaddr, last_item, copy_ms, copy_version)
  values (p_bucket, p_chat, p_nftaddr, p_context_type, p_ms, 1, new_id, p_fromaddr, p_copy, p_ms,
    p_copy_version)
  on conflict (bucket, chat) do update set
    last_ms = greatest(excluded.last_ms, c.last_ms + 1, c.withheld_ms + 1),
    posted = c.posted + 1,
    last_id = next_id_v1(c.bucket, excluded.last_id),
    last_fromaddr = excluded.last_fromaddr,
    last_item = excluded.last_item,
    copy_ms = excluded.copy_ms,
    copy_version = excluded.copy_version
  where c.last_ms < p_ms + 2000
  returning c.nftaddr, c.context_type, c.last_ms, c.last_id into moved;
  if not found then
    delete from idempotency_keys where bucket = p_bucket and caller = p_caller and key = p_key;
    return query select null::bigint, null::bigint, null, 'too-fast', null, null;
    return;
  end if;

  -- This counts the messages of the sender, which are never unread for the sender.
  insert into group_visits as v (bucket, chat, walletaddr, posted) values (p_bucket, p_chat, p_fromaddr, 1)
  on conflict (bucket, chat, walletaddr) do update set posted = v.posted + 1;
  insert into group_messages (bucket, chat, id, fromaddr, message, ms, reply_to, marks)
  values (p_bucket, p_chat, moved.last_id, p_fromaddr, p_message, moved.last_ms, p_reply_to,
    case when p_reply_to is null then 0 else 8 end);
  if p_key is not null then
    update idempotency_keys
    set answer = json_build_object('id', moved.last_id, 'ms', moved.last_ms, 'name', sender_name)
    where bucket = p_bucket and caller = p_caller and key = p_key;
  end if;
  return query select moved.last_id, moved.last_ms, sender_name, null, moved.nftaddr, moved.context_type;
end $$;

-- Does the same for a batch of messages, as send_direct_messages_v1 does.
create function post_group_messages_v1(
  p_ms bigint, p_bucket integer[], p_chat text[], p_nftaddr text[], p_context_type text[],
  p_fromaddr text[], p_message text[], p_copy text[], p_copy_version integer,
  p_caller text[], p_key text[], p_request bytea[]
) returns table (id bigint, ms bigint, sender_name text, refused text, nftaddr text, context_type text) language plpgsql as $$
#variable_conflict use_column
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, p_bucket);
  goes_on boolean[];
  moved_chat text[];
  moved_nftaddr text[];
  moved_context_type text[];
  moved_ms bigint[];
  moved_id bigint[];
  ids bigint[];
  times bigint[];
  shown_nftaddr text[];
  shown_type text[];
  nftaddrs text[];
  context_types text[];
begin
  if p_key is not null then
    goes_on := claim_keys_v1(p_ms, p_bucket, p_caller, p_key, p_request);
  end if;

  -- This locks each chat and moves its time on by a millisecond per message, in the order of chats.
  with moved as (
    insert into group_chats as c (
      bucket, chat, nftaddr, context_type, last_ms, posted, last_id, last_fromaddr, last_item, copy_ms, copy_version)
    select l.bucket, u.chat, u.nftaddr, u.context_type, p_ms + u.sent - 1, u.sent, case when u.sent = 1 then u.id end,
      u.fromaddr, case when u.sent = 1 then u.item end, p_ms, p_copy_version
    from buckets l join (
      select p.*, next_id_v1(p.bucket, p.drawn) as id
      from (
        select bucket, chat, min(nftaddr) as nftaddr, min(context_type) as context_type, count(*) as sent,
          min(drawn[n]) as drawn, min(fromaddr) as fromaddr, max(item) as item
        from unnest(p_bucket, p_chat collate "C", p_nftaddr, p_context_type, p_fromaddr, p_copy) with ordinality
          as m (bucket, chat, nftaddr, context_type, fromaddr, item, n)
        where goes_on is null or goes_on[n]
        group by bucket, chat
      ) p
    ) u on u.bucket = l.bucket
    where l.bucket = any (p_bucket) order by u.bucket, u.chat
    on conflict (bucket, chat) do update set
      last_ms = greatest(excluded.last_ms, greatest(c.last_ms, c.withheld_ms) + excluded.last_ms - p_ms + 1),
      posted = c.posted + excluded.posted,
      last_id = case when excluded.last_id is not null then next_id_v1(c.bucket, excluded.last_id) end,
      last_fromaddr = excluded.last_fromaddr,
      last_item = excluded.last_item,
      copy_ms = excluded.copy_ms,
      copy_version = excluded.copy_version
    where c.last_ms + (excluded.last_ms - p_ms) < p_ms + 2000
    returning c.chat, c.nftaddr, c.context_type, c.last_ms, c.last_id
  )
  select array_agg(chat), array_agg(nftaddr), array_agg(context_type), array_agg(last_ms), array_agg(last_id)
  into moved_chat, moved_nftaddr, moved_context_type, moved_ms, moved_id from moved;

  -- These are the id and time of each message of a chat that was moved on.
  select array_agg(s.ms order by s.n),
    array_agg(case when s.ms is not null then coalesce(s.last_id, next_id_v1(p_bucket[s.n], drawn[s.n])) end order by s.n),
    array_agg(s.nftaddr order by s.n), array_agg(s.context_type order by s.n)
  into times, ids, nftaddrs, context_types
  from (
    select u.n, v.last_id, v.nftaddr, v.context_type, v.last_ms - count(*) over of_chat + row_number() over (of_chat order by u.n) as ms
    from (
      select *, goes_on is null or goes_on[n] as goes_on from unnest(p_chat collate "C") with ordinality as m (chat, n)
    ) u left join unnest(moved_chat collate "C", moved_nftaddr, moved_context_type, moved_ms, moved_id)
      as v (chat, nftaddr, context_type, last_ms, last_id)
      on v.chat = u.chat and u.goes_on
    window of_chat as (partition by u.chat, u.goes_on)
    order by u.n
  ) s;

  -- This counts the messages of each sender, which are never unread for that sender.
  insert into group_visits as v (bucket, chat, walletaddr, posted)
  select l.bucket, u.chat, u.fromaddr, u.posted
  from buckets l join (
    select bucket, chat, fromaddr, count(*) as posted
    from unnest(p_bucket, p_chat collate "C", p_fromaddr collate "C", ids) as m (bucket, chat, fromaddr, id)
    where id is not null group by bucket, chat, fromaddr
  ) u on u.bucket = l.bucket
  where l.bucket = any (p_bucket) order by u.bucket, u.chat, u.fromaddr
  on conflict (bucket, chat, walletaddr) do update set posted = v.posted + excluded.posted;

  insert into group_messages (bucket, chat, id, fromaddr, message, ms)
  select l.bucket, u.chat, u.id, u.fromaddr, u.message, u.ms
  from buckets l join unnest(p_bucket, p_chat, ids, p_fromaddr, p_message, times) as u (bucket, chat, id, fromaddr, message, ms)
    on u.bucket = l.bucket
  where l.bucket = any (p_bucket) and u.id is not null;

  if p_key is null then
    return query
      select u.id, u.ms, u.name, case when u.id is null then 'too-fast' end, u.nftaddr, u.context_type
      from unnest(ids, times, names_of_v1(p_fromaddr), nftaddrs, context_types) with ordinality
        as u (id, ms, name, nftaddr, context_type, n)
      order by u.n;
  else
    select array_agg(c.nftaddr order by u.n), array_agg(c.context_type order by u.n) into shown_nftaddr, shown_type
    from buckets l join unnest(p_bucket, p_chat) with ordinality as u (bucket, chat, n) on u.bucket = l.bucket
    left join group_chats c on c.bucket = l.bucket and c.chat = u.chat
    where l.bucket = any (p_bucket);
    return query
      select a.id, a.ms, a.sender_name, a.refused, shown_nftaddr[a.n], shown_type[a.n]
      from answer_keys_v1(p_ms, p_bucket, p_caller, p_key, p_request, goes_on, ids, times, p_fromaddr)
        with ordinality as a (id, ms, sender_name, refused, n)
      order by a.n;
  end if;
end $$;

-- Stores that a wallet has entered a chat: everything posted so far is read. It never moves back, and writes nothing when there
-- is nothing new. Both numbers and `last_id` come from one snapshot, so the wallet's own messages are never counted, and messages
-- up to `last_id` now count as read.
create function enter_chat_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_wbucket integer, p_wallet text, p_event jsonb
) returns table (last_id bigint, moved boolean) language plpgsql as $$
#variable_conflict use_column
declare
  drawn bigint[];
  entry record;
begin
  select c.posted > coalesce(own.seen, 0) or own.withheld > own.seen_withheld as moved, greatest(coalesce((
    select id from group_messages where bucket = p_bucket and chat = p_chat order by bucket desc, chat desc, id desc limit 1
  ), 0), own.withheld_id) as last_id into entry
  from buckets l
  left join group_chats c on c.bucket = l.bucket and c.chat = p_chat
  left join group_visits own on own.bucket = l.bucket and own.chat = p_chat and own.walletaddr = p_wallet
  where l.bucket = p_bucket;
  if entry.moved is not true then
    return query select entry.last_id, false;
    return;
  end if;
  drawn := draw_ids_v1(p_ms, array[p_wbucket]);
  with entered as (
    insert into group_visits as v (bucket, chat, walletaddr, seen_id, entry_ms, seen, seen_own, seen_withheld)
    select c.bucket, c.chat, p_wallet, coalesce((
      select id from group_messages where bucket = p_bucket and chat = p_chat order by bucket desc, chat desc, id desc limit 1
    ), 0), case when own.withheld > 0 then greatest(c.last_ms, c.withheld_ms) else c.last_ms end, c.posted,
      coalesce(own.posted, 0), coalesce(own.withheld, 0)
    from group_chats c
    left join group_visits own on own.bucket = p_bucket and own.chat = p_chat and own.walletaddr = p_wallet
    where c.bucket = p_bucket and c.chat = p_chat and (c.posted > coalesce(own.seen, 0) or own.withheld > own.seen_withheld)
    on conflict (bucket, chat, walletaddr) do update
      set seen_id = excluded.seen_id, entry_ms = excluded.entry_ms, seen = excluded.seen, seen_own = excluded.seen_own,
        seen_withheld = excluded.seen_withheld
      where excluded.seen >= v.seen and excluded.seen_withheld >= v.seen_withheld
        and (excluded.seen > v.seen or excluded.seen_withheld > v.seen_withheld)
    returning 1
  )
  select exists (select 1 from entered) as moved, greatest(coalesce((
    select id from group_messages where bucket = p_bucket and chat = p_chat order by bucket desc, chat desc, id desc limit 1
  ), 0), (
    select withheld_id from group_visits where bucket = p_bucket and chat = p_chat and walletaddr = p_wallet
  )) as last_id into entry;
  if entry.moved then
    perform announce_v1(p_ms, p_wbucket, drawn, array[p_wallet], p_event || jsonb_build_object('id', entry.last_id));
  end if;
  return query select entry.last_id, entry.moved;
end $$;

-- Stores that a wallet has read a chat up to an id. It never moves back. It counts at most `p_most` messages, from the last read
-- one on. Returns how far it came, which is `p_to` when that is all, whether it moved, and how much is still unread.
create function read_chat_to_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_wbucket integer, p_wallet text, p_to bigint, p_most integer, p_event jsonb
) returns table (id bigint, moved boolean, unread bigint) language plpgsql as $$
#variable_conflict use_column
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_wbucket]);
  -- These are both numbers up to the last counted message, in one snapshot.
  visit record;
  -- These are the wallet's own withheld messages up to there.
  own record;
  up_to bigint;
  left_unread bigint;
begin
  -- Messages that retention has deleted precede all existing ones.
  select greatest(coalesce(v.seen, 0), c.expired) + count(m.id) as seen,
    greatest(coalesce(v.seen_own, 0), v.expired_own) + count(m.id) filter (where m.fromaddr = p_wallet) as seen_own,
    count(m.id) as counted, max(m.id) as id, max(m.ms) as ms, coalesce(v.withheld, 0) as withheld,
    coalesce(v.seen_withheld, 0) as seen_withheld
  into visit
  from buckets l
  left join group_chats c on c.bucket = l.bucket and c.chat = p_chat
  left join group_visits v on v.bucket = l.bucket and v.chat = p_chat and v.walletaddr = p_wallet
  left join lateral (
    select o.id, o.fromaddr, o.ms from group_messages o
    where o.bucket = p_bucket and o.chat = p_chat and o.id > coalesce(v.seen_id, 0) and (o.id, o.bucket) < (p_to + 1, 0)
    order by o.bucket, o.chat, o.id limit p_most
  ) m on true
  where l.bucket = p_bucket
  group by v.seen, v.seen_own, v.expired_own, v.withheld, v.seen_withheld, c.expired;
  up_to := case when visit.counted < p_most then p_to else visit.id end;
  select greatest(count(*), visit.seen_withheld) as seen, max(w.id) as id, max(w.ms) as ms into own from withheld_posts w
  where visit.withheld > visit.seen_withheld
    and w.bucket = p_bucket and w.chat = p_chat and w.fromaddr = p_wallet and w.id <= up_to;
  if visit.counted > 0 or own.seen > visit.seen_withheld then
    insert into group_visits as v (bucket, chat, walletaddr, seen_id, entry_ms, seen, seen_own, seen_withheld)
    values (p_bucket, p_chat, p_wallet, coalesce(visit.id, 0), greatest(visit.ms, own.ms), visit.seen, visit.seen_own, own.seen)
    on conflict (bucket, chat, walletaddr) do update
      set seen_id = greatest(excluded.seen_id, v.seen_id), entry_ms = greatest(excluded.entry_ms, v.entry_ms),
        seen = excluded.seen, seen_own = excluded.seen_own, seen_withheld = excluded.seen_withheld
      where excluded.seen >= v.seen and excluded.seen_withheld >= v.seen_withheld
        and (excluded.seen > v.seen or excluded.seen_withheld > v.seen_withheld);
    moved := found;
  end if;
  if moved then
    perform announce_v1(p_ms, p_wbucket, drawn, array[p_wallet], p_event || jsonb_build_object('id', greatest(visit.id, own.id)));
  end if;
  select c.posted - greatest(coalesce(v.seen, 0), c.expired)
    - (coalesce(v.posted, 0) - greatest(coalesce(v.seen_own, 0), coalesce(v.expired_own, 0))) into left_unread
  from group_chats c left join group_visits v on v.bucket = c.bucket and v.chat = c.chat and v.walletaddr = p_wallet
  where c.bucket = p_bucket and c.chat = p_chat;
  return query select up_to, coalesce(moved, false), coalesce(left_unread, 0);
end $$;

-- Removes a message of a chat for everybody: its text is deleted, the row stays. `p_by` is author, moderator or operator. Returns
-- whether it was there until now; no row when there is none. One event of the chat notifies all members.
create function remove_post_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_id bigint, p_by text, p_event jsonb
) returns boolean language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket]);
begin
  -- A reaction or a pin locks this row first, so nothing of the message comes after this.
  perform from group_chats where bucket = p_bucket and chat = p_chat for update;
  update group_messages set message = '', reacted = null, files = null, rev = null, edited_ms = null, edits = null, own = null,
    removed_by = p_by
  where bucket = p_bucket and chat = p_chat and id = p_id and removed_by is null;
  if not found then
    return false;
  end if;
  perform forget_marks_v1(p_bucket, array[p_id]);
  -- This deletes its copy: an inbox searches the message instead.
  update group_chats set last_item = null where bucket = p_bucket and chat = p_chat and last_id = p_id;
  perform announce_v1(p_ms, p_bucket, drawn, array['chat ' || p_chat], p_event);
  return true;
end $$;

-- Removes a withheld message: its author may (`p_by` is author), and a moderator while it waits for one. Returns its author; no
-- row when there is none. The author gets the same event as for any removal in a chat that the author has joined.
create function remove_withheld_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_id bigint, p_by text, p_wallet text, p_event jsonb
) returns table (fromaddr text) language plpgsql as $$
#variable_conflict use_column
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket]);
  author text;
begin
  update withheld_posts w
  set message = '', rev = null, edited_ms = null, edits = null, files = null, removed_by = p_by, held = false
  where w.bucket = p_bucket and w.chat = p_chat and w.id = p_id and w.removed_by is null
    and case when p_by = 'moderator' then w.held else w.fromaddr = p_wallet end
  returning w.fromaddr into author;
  if not found then
    return query
      select w.fromaddr from withheld_posts w
      where w.bucket = p_bucket and w.chat = p_chat and w.id = p_id and p_by = 'author' and w.fromaddr = p_wallet;
    return;
  end if;
  perform forget_marks_v1(p_bucket, array[p_id]);
  perform announce_v1(p_ms, p_bucket, drawn, array['chat ' || p_chat || ' ' || author], p_event);
  return query select author;
end $$;

-- Says how much a wallet, or a network address (a keyed hash), has used of its daily quotas (server/src/limits/quotas.ts). Rows
-- of earlier days are deleted.
create table wallet_usage (
  wbucket integer not null,
  walletaddr text collate "C" not null,
  -- This is in days since 1970, in UTC.
  day integer not null,
  -- These count bytes of the requests that stored something; conversations begun; comments; communities created; reports.
  bytes bigint not null default 0,
  strangers bigint not null default 0,
  comments bigint not null default 0,
  communities bigint not null default 0,
  reports bigint not null default 0,
  -- These are bytes of pictures, which `bytes` has too.
  pictures bigint not null default 0,
  -- This counts files.
  files bigint not null default 0,
  -- This counts changes that leave rows in the log: marks, deletions, contacts, settings (server/src/limits/charges.ts).
  changes bigint not null default 0,
  primary key (wbucket, walletaddr, day)
) with (fillfactor = 70);
-- This finds rows of earlier days.
create index wallet_usage_day on wallet_usage (day);

-- Locks the row of a wallet, so that of two changes at once the second counts what the first has made. Returns how many
-- communities the wallet has created today.
create function lock_usage_v1(p_wbucket integer, p_wallet text, p_day integer) returns bigint language plpgsql as $$
declare
  created bigint;
begin
  insert into wallet_usage as u (wbucket, walletaddr, day) values (p_wbucket, p_wallet, p_day)
  on conflict (wbucket, walletaddr, day) do update set bytes = u.bytes returning u.communities into created;
  return created;
end $$;

-- Creates a community. It returns one row: what is stored, or why nothing was:
--   taken   another wallet has created it
--   a-day   the wallet has created `p_a_day` communities today; null is no quota
--   in-all  the wallet has created `p_in_all` communities
-- It raises a unique violation when it looks like another community. Calls for look-alike names wait for each other at their
-- skeletons, which are taken in order, so never in a circle.
create function create_community_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_wbucket integer, p_wallet text, p_community text, p_social jsonb,
  p_skeletons text[], p_day integer, p_a_day integer, p_in_all integer, p_words text[]
) returns table (community text, social jsonb, refused text) language plpgsql as $$
#variable_conflict use_column
declare
  stored communities;
  today bigint;
  joined bigint;
begin
  today := lock_usage_v1(p_wbucket, p_wallet, p_day);
  select * into stored from communities where bucket = p_bucket and chat = p_chat;
  if found then
    -- Its creator may send the request twice at the same time.
    return query select stored.community, stored.social, case when stored.creator is distinct from p_wallet then 'taken' end;
    return;
  elsif today >= p_a_day then
    return query select null, null::jsonb, 'a-day';
    return;
  elsif (select count(*) from communities where creator = p_wallet) >= p_in_all then
    return query select null, null::jsonb, 'in-all';
    return;
  end if;
  insert into community_skeletons (skeleton, chat)
  select s, p_chat from unnest(p_skeletons) s order by s collate "C" on conflict do nothing;
  perform from community_skeletons where skeleton = any (p_skeletons) and chat <> p_chat limit 1;
  if found then
    raise unique_violation using message = 'another community has this name, or one that looks like it';
  end if;
  insert into communities (bucket, chat, community, creator, social, created_ms)
  values (p_bucket, p_chat, p_community, p_wallet, coalesce(p_social, '[]'), p_ms)
  on conflict (bucket, chat) do nothing returning * into stored;
  if not found then
    return query select null, null::jsonb, 'taken';
    return;
  end if;
  -- Wallets may have joined before it was a community.
  select c.members into joined from group_chats c where c.bucket = p_bucket and c.chat = p_chat;
  insert into community_profiles (bucket, chat, created_ms, members, is_last, words)
  values (p_bucket, p_chat, p_ms, coalesce(joined, 0), coalesce(joined, 0) = 0, array_to_tsvector(p_words));
  update wallet_usage set communities = communities + 1 where wbucket = p_wbucket and walletaddr = p_wallet and day = p_day;
  insert into chat_roles (bucket, chat, walletaddr, role, since_ms) values (p_bucket, p_chat, p_wallet, 'owner', p_ms)
  on conflict (bucket, chat, walletaddr) do update set role = 'owner';
  -- Wallets may have used the name before it was a community.
  update group_chats set context_type = 'community', nftaddr = p_community where bucket = p_bucket and chat = p_chat;
  return query select stored.community, stored.social, null;
end $$;

-- Joins a chat; joining again changes only the chain, when one is given. Returns no row when the wallet has `p_most` bookmarks.
create function join_chat_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_wbucket integer, p_wallet text, p_nftaddr text, p_chain text, p_event jsonb,
  p_day integer, p_most integer
) returns setof bookmarks language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_wbucket, p_wbucket]);
begin
  perform from bookmarks where wbucket = p_wbucket and walletaddr = p_wallet and chat = p_chat;
  if not found then
    perform lock_usage_v1(p_wbucket, p_wallet, p_day);
    if (select count(*) from bookmarks where wbucket = p_wbucket and walletaddr = p_wallet) >= p_most then
      return;
    end if;
  end if;
  insert into bookmarks (wbucket, walletaddr, chat, bucket, id, nftaddr, chain)
  values (p_wbucket, p_wallet, p_chat, p_bucket, next_id_v1(p_wbucket, drawn[1]), p_nftaddr, coalesce(p_chain, ''))
  on conflict (wbucket, walletaddr, chat) do nothing;
  if found then
    insert into group_chats as c (bucket, chat, nftaddr, context_type, members)
    select l.bucket, p_chat, coalesce(m.community || substr(p_chat, length(m.chat) + 1), p_nftaddr),
      case when m.chat is null then 'nft' else 'community' end, 1
    from buckets l left join communities m on m.bucket = l.bucket and m.chat = split_part(p_chat, '/', 1)
    where l.bucket = p_bucket
    on conflict (bucket, chat) do update set members = c.members + 1;
    insert into group_visits (bucket, chat, walletaddr, joined) values (p_bucket, p_chat, p_wallet, true)
    on conflict (bucket, chat, walletaddr) do update set joined = true, has_left = false;
    update community_profiles set members = 1, is_last = false where bucket = p_bucket and chat = p_chat and members = 0;
    perform announce_v1(p_ms, p_wbucket, drawn[2:], array[p_wallet], p_event);
  elsif p_chain is not null then
    update bookmarks set chain = p_chain where wbucket = p_wbucket and walletaddr = p_wallet and chat = p_chat;
  end if;
  return query select * from bookmarks where wbucket = p_wbucket and walletaddr = p_wallet and chat = p_chat;
end $$;

-- Leaves a chat. The event names the chat as the wallet did when it joined.
create function leave_chat_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_wbucket integer, p_wallet text, p_event jsonb
) returns void language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_wbucket]);
  joined_as text;
begin
  delete from bookmarks where wbucket = p_wbucket and walletaddr = p_wallet and chat = p_chat returning nftaddr into joined_as;
  if found then
    update group_chats set members = members - 1 where bucket = p_bucket and chat = p_chat;
    delete from group_visits
    where bucket = p_bucket and chat = p_chat and walletaddr = p_wallet and posted = 0 and entry_ms is null
      and strpos(p_chat, '/') = 0;
    update group_visits set joined = false, announcements = false, has_left = strpos(p_chat, '/') > 0 where bucket = p_bucket and chat = p_chat and walletaddr = p_wallet;
    perform announce_v1(p_ms, p_wbucket, drawn, array[p_wallet], p_event || jsonb_build_object('nftaddr', joined_as));
  end if;
end $$;

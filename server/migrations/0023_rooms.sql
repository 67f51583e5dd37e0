-- Rooms of communities. A room is a group chat whose key is `<community>/<room>`, and lies in the bucket of its community
-- (chat_bucket). The chat of the community itself is its first room and has no row here.

create table rooms (
  bucket integer not null,
  chat text collate "C" not null,
  -- This is the key of the community.
  parent text collate "C" not null,
  title text not null,
  about text not null,
  -- Rooms are listed in this order, from 1.
  position integer not null,
  -- In a room of news only the owner and the moderators of the community post.
  kind text collate "C" not null check (kind in ('text', 'news')),
  -- Members of the community join it without asking.
  by_default boolean not null,
  -- Nobody has posted since then; null for a room that is in use.
  archived_ms bigint,
  -- No other room of the community has a name with one of these.
  skeletons text[] not null,
  created_ms bigint not null,
  primary key (bucket, chat)
);
-- This lists the rooms of a community.
create index rooms_parent on rooms (bucket, parent);

-- Creates a room, or returns why not: `taken`, `similar` or `full`.
create function create_room_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_parent text, p_title text, p_about text, p_kind text, p_by_default boolean,
  p_skeletons text[], p_most integer
) returns text language plpgsql as $$
declare
  shown text;
begin
  -- Two rooms of one community are created one after the other.
  select community || substr(p_chat, strpos(p_chat, '/')) into shown from communities
  where bucket = p_bucket and chat = p_parent for update;
  perform from rooms where bucket = p_bucket and chat = p_chat;
  if found then
    return 'taken';
  end if;
  perform from rooms where bucket = p_bucket and parent = p_parent and skeletons && p_skeletons;
  if found then
    return 'similar';
  end if;
  if (select count(*) from rooms where bucket = p_bucket and parent = p_parent) >= p_most then
    return 'full';
  end if;
  insert into rooms (bucket, chat, parent, title, about, position, kind, by_default, skeletons, created_ms)
  select l.bucket, p_chat, p_parent, p_title, p_about,
    (select coalesce(max(position), 0) + 1 from rooms where bucket = p_bucket and parent = p_parent),
    p_kind, p_by_default, p_skeletons, p_ms
  from buckets l where l.bucket = p_bucket;
  -- Wallets may have joined the key before it was a room.
  update group_chats set context_type = 'community', nftaddr = shown where bucket = p_bucket and chat = p_chat;
  return null;
end $$;

-- Changes a room; null leaves a value as it is. `p_position` moves it to that place among the others.
create function change_room_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_parent text, p_title text, p_about text, p_kind text, p_by_default boolean,
  p_archived boolean, p_position integer
) returns boolean language plpgsql as $$
declare
  before jsonb;
begin
  perform from communities where bucket = p_bucket and chat = p_parent for update;
  before := (select jsonb_agg(to_jsonb(r) order by r.chat) from rooms r where r.bucket = p_bucket and r.parent = p_parent);
  update rooms set title = coalesce(p_title, title), about = coalesce(p_about, about), kind = coalesce(p_kind, kind),
    by_default = coalesce(p_by_default, by_default),
    archived_ms = case when p_archived then coalesce(archived_ms, p_ms) when p_archived is null then archived_ms end
  where bucket = p_bucket and chat = p_chat;
  if p_position is not null then
    update rooms r set position = n.place from (
      select chat, row_number() over (order by place * 2 - case when chat = p_chat then 1 else 0 end) as place from (
        select chat, case when chat = p_chat then p_position
          else row_number() over (partition by chat = p_chat order by position, chat) end as place
        from rooms where bucket = p_bucket and parent = p_parent
      ) wanted
    ) n where r.bucket = p_bucket and r.parent = p_parent and r.chat = n.chat;
  end if;
  return before is distinct from (
    select jsonb_agg(to_jsonb(r) order by r.chat) from rooms r where r.bucket = p_bucket and r.parent = p_parent);
end $$;

-- Deletes a room in which nobody has ever posted; returns whether there was one.
create function delete_room_v1(p_bucket integer, p_chat text, p_parent text) returns boolean language plpgsql as $$
begin
  perform from communities where bucket = p_bucket and chat = p_parent for update;
  perform from group_chats where bucket = p_bucket and chat = p_chat for update;
  delete from rooms where bucket = p_bucket and chat = p_chat and not exists (
    select 1 from group_chats where bucket = p_bucket and chat = p_chat and greatest(last_ms, withheld_ms) > 0);
  return found;
end $$;

-- Announcements: a post that notifies those members of a chat who have agreed to that (group_visits.announcements).

-- The latest announcement in a community and its rooms, or in the chat of an NFT: there is one in 24 hours. Its post has the mark
-- 128. The counts are of wallets; which ones is stored nowhere.
create table announcements (
  bucket integer not null,
  -- This is the key of the community, or that of the chat of an NFT.
  community text collate "C" not null,
  -- This is the chat of the post.
  chat text collate "C" not null,
  item_id bigint not null,
  fromaddr text collate "C" not null,
  ms bigint not null,
  -- Those up to this wallet have their jobs or were counted.
  up_to text collate "C" not null default '',
  ended_ms bigint,
  -- This is true when the delivery ended early: the post is gone, or may no longer be announced.
  stopped boolean not null default false,
  -- These agreed; of these some were notified, and the others were not: they have no channel, are out of the chat, have muted it,
  -- or had read the post.
  agreed integer not null default 0,
  reached integer not null default 0,
  no_channel integer not null default 0,
  gone integer not null default 0,
  muted integer not null default 0,
  had_read integer not null default 0,
  primary key (bucket, community)
) with (fillfactor = 50);

-- Announces a post of a wallet, which the caller may do in this chat. Returns why it is refused:
--   none   the wallet has no such post
--   old    it is older than a day
--   today  there was an announcement in the last 24 hours; the next one is possible at `next_ms`
-- `started` is true when the announcement must be delivered. A post that its author alone sees gets the mark for the author.
create function announce_post_v1(
  p_ms bigint, p_bucket integer, p_community text, p_chat text, p_id bigint, p_wallet text, p_unseen boolean, p_event jsonb,
  out refused text, out next_ms bigint, out started boolean
) language plpgsql as $$
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket]);
  is_withheld boolean := false;
  sent_ms bigint;
  was_marked boolean;
begin
  started := false;
  perform from group_chats where bucket = p_bucket and chat = p_chat for update;
  select ms, marks & 128 <> 0 into sent_ms, was_marked from group_messages
  where bucket = p_bucket and chat = p_chat and id = p_id and fromaddr = p_wallet and removed_by is null;
  if not found then
    is_withheld := true;
    select ms, marks & 128 <> 0 into sent_ms, was_marked from withheld_posts
    where bucket = p_bucket and chat = p_chat and id = p_id and fromaddr = p_wallet and removed_by is null;
    if not found then
      refused := 'none';
      return;
    end if;
  end if;
  if was_marked then
    return;
  end if;
  if sent_ms <= p_ms - 86400000 then
    refused := 'old';
    return;
  end if;
  if is_withheld then
    select max(ms) + 86400000 into next_ms from withheld_posts
    where bucket = p_bucket and chat = p_chat and fromaddr = p_wallet and marks & 128 <> 0 and ms > p_ms - 86400000;
    if next_ms is not null then
      refused := 'today';
      return;
    end if;
    update withheld_posts set marks = marks | 128 where bucket = p_bucket and chat = p_chat and fromaddr = p_wallet and id = p_id;
    perform announce_v1(p_ms, p_bucket, drawn, array['chat ' || p_chat || ' ' || p_wallet], p_event);
    return;
  end if;
  -- Nobody else sees what the wallet does now.
  if p_unseen then
    return;
  end if;
  insert into announcements as a (bucket, community, chat, item_id, fromaddr, ms)
  values (p_bucket, p_community, p_chat, p_id, p_wallet, p_ms)
  on conflict (bucket, community) do update set
    chat = excluded.chat, item_id = excluded.item_id, fromaddr = excluded.fromaddr, ms = excluded.ms,
    up_to = '', ended_ms = null, stopped = false, agreed = 0, reached = 0, no_channel = 0, gone = 0, muted = 0, had_read = 0
  where a.ms <= p_ms - 86400000;
  if not found then
    refused := 'today';
    select ms + 86400000 into next_ms from announcements where bucket = p_bucket and community = p_community;
    return;
  end if;
  update group_messages set marks = marks | 128 where bucket = p_bucket and chat = p_chat and id = p_id;
  perform announce_v1(p_ms, p_bucket, drawn, array['chat ' || p_chat], p_event);
  started := true;
end $$;

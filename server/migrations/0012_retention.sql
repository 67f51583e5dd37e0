-- Messages older than the retention time of the service or of a chat are deleted, in portions of one bucket
-- (server/src/features/retention/). Each portion locks the rows of its conversations or of its chat until its commit, as a send
-- does.

-- This table has what was deleted of wallets and chats under a legal hold, unchanged. Only the administrator reads it. A row lies
-- in the bucket of the message, and is deleted when the hold ends.
create table held_messages (
  bucket integer not null,
  id bigint not null,
  -- This is set for a post.
  chat text collate "C",
  fromaddr text collate "C" not null,
  -- This is set for a direct message.
  toaddr text collate "C",
  -- This is the whole row, with each column of its table.
  item json not null,
  -- The first deletion had this cause.
  cause text collate "C" not null check (cause in ('retention', 'deletion', 'erasure')),
  kept_ms bigint not null,
  primary key (bucket, id)
);
-- This finds what was stored of a wallet or a chat.
create index held_messages_from on held_messages (fromaddr, id);
create index held_messages_to on held_messages (toaddr, id);
create index held_messages_chat on held_messages (chat, id);

-- Copies direct messages between two wallets into held_messages, before the same transaction deletes them: those with some ids,
-- or all. It draws ids first only to lock in the order of a send (server/cluster/ids.sql).
create function keep_direct_messages_v1(p_ms bigint, p_bucket integer, p_a text, p_b text, p_ids bigint[]) returns bigint
language plpgsql as $$
declare
  conversation bigint;
  kept bigint;
begin
  perform draw_ids_v1(p_ms, array[p_bucket]);
  select id into conversation from conversations where bucket = p_bucket and a = p_a and b = p_b for update;
  insert into held_messages (bucket, id, fromaddr, toaddr, item, cause, kept_ms)
  select bucket, id, fromaddr, toaddr, to_json(m), 'deletion', p_ms
  from direct_messages m
  where bucket = p_bucket and conversation_id = conversation and (p_ids is null or id = any (p_ids))
  on conflict (bucket, id) do nothing;
  get diagnostics kept = row_count;
  return kept;
end $$;

-- Does the same for a message of a chat, also for one that only its author sees, where one of `p_holds` is its author or chat. A
-- message that was removed before has nothing to copy.
create function keep_post_v1(p_ms bigint, p_bucket integer, p_chat text, p_id bigint, p_holds text[]) returns bigint
language plpgsql as $$
declare
  kept bigint;
begin
  insert into held_messages (bucket, id, chat, fromaddr, item, cause, kept_ms)
  select bucket, id, chat, fromaddr, to_json(m), 'deletion', p_ms from group_messages m
  where bucket = p_bucket and chat = p_chat and id = p_id and removed_by is null
    and (array[p_chat, split_part(p_chat, '/', 1)] && p_holds or fromaddr = any (p_holds))
  on conflict (bucket, id) do nothing;
  get diagnostics kept = row_count;
  if kept = 0 then
    insert into held_messages (bucket, id, chat, fromaddr, item, cause, kept_ms)
    select bucket, id, chat, fromaddr, to_json(m), 'deletion', p_ms from withheld_posts m
    where bucket = p_bucket and chat = p_chat and id = p_id and removed_by is null
      and (array[p_chat, split_part(p_chat, '/', 1)] && p_holds or fromaddr = any (p_holds))
    on conflict (bucket, id) do nothing;
  end if;
  return kept;
end $$;

-- Deletes messages of some conversations of one bucket. Unread counters follow. No wallet is notified: lists end later. Messages
-- of one of the wallets `p_holds` are copied into held_messages.
create function expire_direct_messages_v1(
  p_ms bigint, p_bucket integer, p_conversations bigint[], p_ids bigint[], p_holds text[]
) returns bigint language plpgsql as $$
declare
  touched bigint[];
  of_a bigint[];
  of_b bigint[];
  deleted bigint;
begin
  perform from conversations where bucket = p_bucket and id = any (p_conversations) order by a, b for update;
  select array_agg(n.id), array_agg(n.to_a), array_agg(n.to_b) into touched, of_a, of_b
  from (
    select c.id, count(*) filter (where m.toaddr = c.a and m.id > c.erased_a) as to_a,
      count(*) filter (where m.toaddr = c.b and m.id > c.erased_b) as to_b
    from conversations c join direct_messages m on m.bucket = c.bucket and m.conversation_id = c.id
    where c.bucket = p_bucket and c.id = any (p_conversations) and m.bucket = p_bucket and m.id = any (p_ids)
      and not m.read and not m.hidden_from_recipient
    group by c.id
  ) n;
  if p_holds <> '{}' then
    insert into held_messages (bucket, id, fromaddr, toaddr, item, cause, kept_ms)
    select bucket, id, fromaddr, toaddr, to_json(m), 'retention', p_ms
    from direct_messages m
    where bucket = p_bucket and conversation_id = any (p_conversations) and id = any (p_ids)
      and (fromaddr = any (p_holds) or toaddr = any (p_holds))
    on conflict (bucket, id) do nothing;
  end if;
  delete from direct_messages where bucket = p_bucket and conversation_id = any (p_conversations) and id = any (p_ids);
  get diagnostics deleted = row_count;
  perform forget_marks_v1(p_bucket, p_ids);
  update conversations c set unread_a = c.unread_a - u.to_a, unread_b = c.unread_b - u.to_b
  from unnest(touched, of_a, of_b) as u (id, to_a, to_b)
  where c.bucket = p_bucket and c.id = u.id;
  update conversations set last_item = null
  where bucket = p_bucket and id = any (p_conversations) and last_id = any (p_ids) and last_item is not null;
  return deleted;
end $$;

-- Deletes the messages of a chat up to an id: its oldest ones, all of them, so that what a member has not read is still a
-- subtraction. The numbers of posts stay, and the deleted ones are counted beside them.
create function expire_posts_v1(p_ms bigint, p_bucket integer, p_chat text, p_to bigint, p_holds text[]) returns bigint
language plpgsql as $$
declare
  authors text[];
  numbers bigint[];
  ids bigint[];
  deleted bigint;
begin
  perform from group_chats where bucket = p_bucket and chat = p_chat for update;
  select array_agg(n.fromaddr order by n.fromaddr), array_agg(n.posts order by n.fromaddr), sum(n.posts)
  into authors, numbers, deleted
  from (
    select fromaddr, count(*) as posts from group_messages
    where bucket = p_bucket and chat = p_chat and id <= p_to group by fromaddr
  ) n;
  if deleted is null then
    return 0;
  end if;
  if p_holds <> '{}' then
    insert into held_messages (bucket, id, chat, fromaddr, item, cause, kept_ms)
    select bucket, id, chat, fromaddr, to_json(m), 'retention', p_ms from group_messages m
    where bucket = p_bucket and chat = p_chat and id <= p_to and removed_by is null
      and (array[p_chat, split_part(p_chat, '/', 1)] && p_holds or fromaddr = any (p_holds))
    on conflict (bucket, id) do nothing;
  end if;
  with gone as (
    delete from group_messages where bucket = p_bucket and chat = p_chat and id <= p_to returning id
  ) select array_agg(id) into ids from gone;
  perform forget_marks_v1(p_bucket, ids);
  update group_chats set expired = expired + deleted, last_item = case when last_id > p_to then last_item end
  where bucket = p_bucket and chat = p_chat;
  update group_visits v set expired_own = v.expired_own + u.posts
  from unnest(authors collate "C", numbers) as u (walletaddr, posts)
  where v.bucket = p_bucket and v.chat = p_chat and v.walletaddr = u.walletaddr;
  return deleted;
end $$;

-- Does the same for the messages that only their authors see. Only the numbers of their authors count them.
create function expire_withheld_v1(p_ms bigint, p_bucket integer, p_chat text, p_to bigint, p_holds text[]) returns bigint
language plpgsql as $$
declare
  authors text[];
  numbers bigint[];
  ids bigint[];
  deleted bigint;
begin
  perform from group_chats where bucket = p_bucket and chat = p_chat for update;
  select array_agg(n.fromaddr order by n.fromaddr), array_agg(n.posts order by n.fromaddr), sum(n.posts)
  into authors, numbers, deleted
  from (
    select fromaddr, count(*) as posts from withheld_posts
    where bucket = p_bucket and chat = p_chat and id <= p_to group by fromaddr
  ) n;
  if deleted is null then
    return 0;
  end if;
  if p_holds <> '{}' then
    insert into held_messages (bucket, id, chat, fromaddr, item, cause, kept_ms)
    select bucket, id, chat, fromaddr, to_json(m), 'retention', p_ms from withheld_posts m
    where bucket = p_bucket and chat = p_chat and id <= p_to and removed_by is null
      and (array[p_chat, split_part(p_chat, '/', 1)] && p_holds or fromaddr = any (p_holds))
    on conflict (bucket, id) do nothing;
  end if;
  with gone as (
    delete from withheld_posts where bucket = p_bucket and chat = p_chat and id <= p_to returning id
  ) select array_agg(id) into ids from gone;
  perform forget_marks_v1(p_bucket, ids);
  update group_visits v set withheld = v.withheld - u.posts, seen_withheld = greatest(0, v.seen_withheld - u.posts)
  from unnest(authors collate "C", numbers) as u (walletaddr, posts)
  where v.bucket = p_bucket and v.chat = p_chat and v.walletaddr = u.walletaddr;
  return deleted;
end $$;

-- What is older than the service or a chat keeps is deleted, in portions of one bucket (server/src/features/retention/). Each
-- locks the rows of its conversations or of its chat until its commit, as a send does.

-- Days for which a chat keeps its messages; 0 for as long as the service does.
alter table chat_rules add column retention_days integer not null default 0;
create index chat_rules_retention on chat_rules (bucket, chat) where retention_days > 0;

-- What was deleted of wallets and chats under a legal hold, as it was. Only whoever runs the service reads it. It lies where the
-- message did, and goes when the hold ends.
create table held_messages (
  bucket integer not null,
  id bigint not null,
  -- Of a post.
  chat text collate "C",
  fromaddr text collate "C" not null,
  -- Of a direct message.
  toaddr text collate "C",
  message text not null,
  nftaddr text collate "C",
  nftid text collate "C",
  encrypted_sym_x_key text,
  x_access_conditions text,
  ms bigint not null,
  -- What has deleted it first.
  cause text collate "C" not null check (cause in ('retention', 'deletion', 'erasure')),
  kept_ms bigint not null,
  primary key (bucket, id)
);
-- What was kept of a wallet or a chat.
create index held_messages_from on held_messages (fromaddr, id);
create index held_messages_to on held_messages (toaddr, id);
create index held_messages_chat on held_messages (chat, id);

-- Keeps direct messages between two wallets aside, before they are deleted in the same transaction: those with some ids, or all.
-- Ids are drawn first only to lock in the order of a send (server/cluster/ids.sql).
create function keep_direct_messages_v1(p_ms bigint, p_bucket integer, p_a text, p_b text, p_ids bigint[]) returns bigint
language plpgsql as $$
declare
  conversation bigint;
  kept bigint;
begin
  perform draw_ids_v1(p_ms, array[p_bucket]);
  select id into conversation from conversations where bucket = p_bucket and a = p_a and b = p_b for update;
  insert into held_messages
    (bucket, id, fromaddr, toaddr, message, nftaddr, nftid, encrypted_sym_x_key, x_access_conditions, ms, cause, kept_ms)
  select bucket, id, fromaddr, toaddr, message, nftaddr, nftid, encrypted_sym_x_key, x_access_conditions, ms, 'deletion', p_ms
  from direct_messages
  where bucket = p_bucket and conversation_id = conversation and (p_ids is null or id = any (p_ids))
  on conflict (bucket, id) do nothing;
  get diagnostics kept = row_count;
  return kept;
end $$;

-- The same of a message of a chat, also of one that nobody but its author sees, where it is of one of `p_holds`. Of one that was
-- removed before there is nothing to keep.
create function keep_post_v1(p_ms bigint, p_bucket integer, p_chat text, p_id bigint, p_holds text[]) returns bigint
language plpgsql as $$
declare
  kept bigint;
begin
  insert into held_messages (bucket, id, chat, fromaddr, message, ms, cause, kept_ms)
  select bucket, id, chat, fromaddr, message, ms, 'deletion', p_ms from group_messages
  where bucket = p_bucket and chat = p_chat and id = p_id and removed_by is null
    and (p_chat = any (p_holds) or fromaddr = any (p_holds))
  on conflict (bucket, id) do nothing;
  get diagnostics kept = row_count;
  if kept = 0 then
    insert into held_messages (bucket, id, chat, fromaddr, message, ms, cause, kept_ms)
    select bucket, id, chat, fromaddr, message, ms, 'deletion', p_ms from withheld_posts
    where bucket = p_bucket and chat = p_chat and id = p_id and removed_by is null
      and (p_chat = any (p_holds) or fromaddr = any (p_holds))
    on conflict (bucket, id) do nothing;
  end if;
  return kept;
end $$;

-- Deletes messages of some conversations of one bucket. Unread counters follow. Nobody is told: lists end later. What is of one of
-- the wallets `p_holds` is kept aside.
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
    insert into held_messages
      (bucket, id, fromaddr, toaddr, message, nftaddr, nftid, encrypted_sym_x_key, x_access_conditions, ms, cause, kept_ms)
    select bucket, id, fromaddr, toaddr, message, nftaddr, nftid, encrypted_sym_x_key, x_access_conditions, ms, 'retention', p_ms
    from direct_messages
    where bucket = p_bucket and conversation_id = any (p_conversations) and id = any (p_ids)
      and (fromaddr = any (p_holds) or toaddr = any (p_holds))
    on conflict (bucket, id) do nothing;
  end if;
  delete from direct_messages where bucket = p_bucket and conversation_id = any (p_conversations) and id = any (p_ids);
  get diagnostics deleted = row_count;
  update conversations c set unread_a = c.unread_a - u.to_a, unread_b = c.unread_b - u.to_b
  from unnest(touched, of_a, of_b) as u (id, to_a, to_b)
  where c.bucket = p_bucket and c.id = u.id;
  update conversations set last_item = null
  where bucket = p_bucket and id = any (p_conversations) and last_id = any (p_ids) and last_item is not null;
  return deleted;
end $$;

-- Deletes the messages of a chat up to an id: its oldest ones, all of them, so that what every member has not read is still a
-- subtraction. The numbers of what was posted stay, and how many are gone is counted beside them.
create function expire_posts_v1(p_ms bigint, p_bucket integer, p_chat text, p_to bigint, p_holds text[]) returns bigint
language plpgsql as $$
declare
  authors text[];
  numbers bigint[];
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
    insert into held_messages (bucket, id, chat, fromaddr, message, ms, cause, kept_ms)
    select bucket, id, chat, fromaddr, message, ms, 'retention', p_ms from group_messages
    where bucket = p_bucket and chat = p_chat and id <= p_to and removed_by is null
      and (p_chat = any (p_holds) or fromaddr = any (p_holds))
    on conflict (bucket, id) do nothing;
  end if;
  delete from group_messages where bucket = p_bucket and chat = p_chat and id <= p_to;
  update group_chats set expired = expired + deleted, last_item = case when last_id > p_to then last_item end
  where bucket = p_bucket and chat = p_chat;
  update group_visits v set expired_own = v.expired_own + u.posts
  from unnest(authors collate "C", numbers) as u (walletaddr, posts)
  where v.bucket = p_bucket and v.chat = p_chat and v.walletaddr = u.walletaddr;
  return deleted;
end $$;

-- The same of the messages that only their authors see. They are in no number but those of their authors.
create function expire_withheld_v1(p_ms bigint, p_bucket integer, p_chat text, p_to bigint, p_holds text[]) returns bigint
language plpgsql as $$
declare
  authors text[];
  numbers bigint[];
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
    insert into held_messages (bucket, id, chat, fromaddr, message, ms, cause, kept_ms)
    select bucket, id, chat, fromaddr, message, ms, 'retention', p_ms from withheld_posts
    where bucket = p_bucket and chat = p_chat and id <= p_to and removed_by is null
      and (p_chat = any (p_holds) or fromaddr = any (p_holds))
    on conflict (bucket, id) do nothing;
  end if;
  delete from withheld_posts where bucket = p_bucket and chat = p_chat and id <= p_to;
  update group_visits v set withheld = v.withheld - u.posts, seen_withheld = greatest(0, v.seen_withheld - u.posts)
  from unnest(authors collate "C", numbers) as u (walletaddr, posts)
  where v.bucket = p_bucket and v.chat = p_chat and v.walletaddr = u.walletaddr;
  return deleted;
end $$;

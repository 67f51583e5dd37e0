-- What becomes visible to others asks at that moment whether its author may show it.

-- As post_group_message_v1, for what few posts need. In a chat with slow mode there must be a row to lock, or many first posts
-- at once would not see each other.
create function post_group_message_v2(
  p_ms bigint, p_bucket integer, p_chat text, p_nftaddr text, p_context_type text,
  p_fromaddr text, p_message text, p_copy text, p_copy_version integer,
  p_caller text, p_key text, p_request bytea,
  p_withheld boolean, p_held boolean, p_slow_ms bigint
) returns table (id bigint, ms bigint, sender_name text, refused text, nftaddr text, context_type text) language plpgsql as $$
#variable_conflict use_column
begin
  if p_slow_ms > 0 then
    insert into group_chats (bucket, chat, nftaddr, context_type) values (p_bucket, p_chat, p_nftaddr, p_context_type)
    on conflict (bucket, chat) do nothing;
  end if;
  return query select * from post_group_message_v1(
    p_ms, p_bucket, p_chat, p_nftaddr, p_context_type, p_fromaddr, p_message, p_copy, p_copy_version, p_caller, p_key, p_request,
    p_withheld, p_held, p_slow_ms);
end $$;

-- As approve_post_v1. With `p_withheld` the message goes on being seen by its author alone, as any post of it.
create function approve_post_v2(p_ms bigint, p_bucket integer, p_chat text, p_id bigint, p_withheld boolean)
returns table (fromaddr text, id bigint, refused text) language plpgsql as $$
#variable_conflict use_column
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket]);
  held record;
  shown record;
  posted record;
begin
  -- In the order in which a post locks: first the chat.
  select c.nftaddr, c.context_type into shown from group_chats c where c.bucket = p_bucket and c.chat = p_chat for update;
  select w.fromaddr, w.message into held from withheld_posts w
  where w.bucket = p_bucket and w.chat = p_chat and w.id = p_id and w.held for update;
  if not found then
    return;
  end if;
  select * into posted from post_group_message_v1(
    p_ms, p_bucket, p_chat, shown.nftaddr, shown.context_type, held.fromaddr, held.message, null, null, null, null, null,
    p_withheld, false, 0);
  if posted.refused is not null then
    return query select held.fromaddr, null::bigint, posted.refused;
    return;
  end if;
  delete from withheld_posts w where w.bucket = p_bucket and w.chat = p_chat and w.id = p_id;
  update group_visits v set withheld = v.withheld - 1, seen_withheld = least(v.seen_withheld, v.withheld - 1)
  where v.bucket = p_bucket and v.chat = p_chat and v.walletaddr = held.fromaddr;
  -- Its author must read it again: what it has seen until now is another message.
  perform announce_v1(p_ms, p_bucket, drawn, array['chat ' || p_chat || ' ' || held.fromaddr], '{"type":"resync"}');
  return query select held.fromaddr, posted.id, null::text;
end $$;

alter table conversations
  -- Up to this id an end had written when it erased its account: that is no answer any more. What an end deletes for itself
  -- alone (`erased_a`) is none of the other's business.
  add column left_a bigint not null default 0,
  add column left_b bigint not null default 0;

-- locks: withheld posts are few
-- The newest of a chat.
create index withheld_posts_chat on withheld_posts (bucket, chat, ms);

alter table comments
  -- Whether its author alone sees it, who cannot tell. It is in no count of others.
  add column withheld boolean not null default false;

-- As add_comment_v1; with `p_withheld` for its author alone.
create function add_comment_v2(
  p_ms bigint, p_bucket integer, p_nftaddr text, p_nftid numeric, p_fromaddr text, p_message text, p_withheld boolean
) returns table (id bigint, ms bigint, sender_name text) language plpgsql as $$
#variable_conflict use_column
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket, p_bucket]);
  thread comment_threads;
  comment_id bigint;
begin
  insert into comment_threads as t (bucket, nftaddr, nftid, id, comments, last_ms)
  values (p_bucket, p_nftaddr, p_nftid, next_id_v1(p_bucket, drawn[1]), (not p_withheld)::integer, p_ms)
  on conflict (bucket, nftaddr, nftid) do update set
    comments = t.comments + excluded.comments, last_ms = greatest(excluded.last_ms, t.last_ms + 1)
  returning * into thread;
  comment_id := next_id_v1(p_bucket, drawn[2]);
  insert into comments (bucket, thread_id, id, fromaddr, message, ms, withheld)
  values (p_bucket, thread.id, comment_id, p_fromaddr, p_message, thread.last_ms, p_withheld);
  return query select comment_id, thread.last_ms, (select p.name from profiles p where p.address = p_fromaddr);
end $$;

-- As delete_comments_v1, which counts what is withheld too.
create function delete_comments_v2(p_bucket integer, p_thread_id bigint, p_fromaddr text) returns void language plpgsql as $$
declare
  counted bigint;
begin
  -- A statement of its own: the next one must see what was written while this one waited for the lock.
  perform from comment_threads where bucket = p_bucket and id = p_thread_id for update;
  with deleted as (
    delete from comments where bucket = p_bucket and thread_id = p_thread_id and fromaddr = p_fromaddr returning withheld
  )
  select count(*) filter (where not withheld) into counted from deleted;
  update comment_threads set comments = comments - counted where bucket = p_bucket and id = p_thread_id;
end $$;

-- Who moderates a chat, and what they decide. All lies with the chat.

-- The owner of a chat is the wallet that created the community, or the one that its NFT contract names and that has claimed it.
-- Moderators are those whom an owner has added.
create table chat_roles (
  bucket integer not null,
  chat text collate "C" not null,
  walletaddr text collate "C" not null,
  role text collate "C" not null check (role in ('owner', 'moderator')),
  since_ms bigint not null,
  primary key (bucket, chat, walletaddr)
);
-- Those of a wallet, for its export and its erasure.
create index chat_roles_wallet on chat_roles (walletaddr, chat);

-- What a wallet may not do in a chat, and until when: post (muted), or read and post (banned). Every instance holds in memory what
-- counts (server/src/messages/chat-rules.ts). What is over stays for a day, so that every instance learns of it.
create table chat_restrictions (
  bucket integer not null,
  chat text collate "C" not null,
  walletaddr text collate "C" not null,
  -- 2^53 - 1 for ever, 0 for not.
  muted_until_ms bigint not null default 0,
  banned_until_ms bigint not null default 0,
  reason text not null,
  ms bigint not null,
  primary key (bucket, chat, walletaddr)
);
create index chat_restrictions_ms on chat_restrictions (ms);
create index chat_restrictions_wallet on chat_restrictions (walletaddr, chat);

-- What the owner of a chat has set. Every instance holds these in memory too.
create table chat_rules (
  bucket integer not null,
  chat text collate "C" not null,
  -- Seconds between two posts of a wallet; 0 for none.
  slow_seconds integer not null default 0,
  -- A post with one of these waits for a moderator.
  words text[] not null default '{}',
  ms bigint not null,
  primary key (bucket, chat)
);
create index chat_rules_ms on chat_rules (ms);

-- What owners and moderators did. Rows of a year ago are deleted.
create table chat_log (
  bucket integer not null,
  chat text collate "C" not null,
  id bigint not null,
  ms bigint not null,
  actor text collate "C" not null,
  action text collate "C" not null,
  -- The wallet that it is about; empty for none.
  subject text collate "C" not null,
  -- The message that it is about.
  post_id bigint,
  until_ms bigint,
  reason text not null,
  primary key (bucket, chat, id)
);
create index chat_log_ms on chat_log (ms);
-- What a wallet did, and what was done with it, for its export.
create index chat_log_actor on chat_log (actor, id);
create index chat_log_subject on chat_log (subject, id);

-- Adds a row to the log of a chat.
create function log_in_chat_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_actor text, p_action text, p_subject text, p_post_id bigint, p_until_ms bigint,
  p_reason text
) returns bigint language plpgsql as $$
declare
  drawn constant bigint := (draw_ids_v1(p_ms, array[p_bucket]))[1];
  new_id constant bigint := next_id_v1(p_bucket, drawn);
begin
  insert into chat_log (bucket, chat, id, ms, actor, action, subject, post_id, until_ms, reason)
  values (p_bucket, p_chat, new_id, p_ms, p_actor, p_action, p_subject, p_post_id, p_until_ms, p_reason);
  return new_id;
end $$;

-- Posts a held message for everybody, with a new id and a new time, and takes it out of what is held. Answers its author, the
-- new id, or why not; no row when it is not held.
create function approve_post_v1(p_ms bigint, p_bucket integer, p_chat text, p_id bigint)
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
    p_ms, p_bucket, p_chat, shown.nftaddr, shown.context_type, held.fromaddr, held.message, null, null, null, null, null);
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

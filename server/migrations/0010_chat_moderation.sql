-- These tables say who moderates a chat, and what the moderators decide. All rows lie with the chat.

-- The owner of a chat is the wallet that created the community, or the one that its NFT contract names and that has claimed it.
-- An owner adds moderators.
create table chat_roles (
  bucket integer not null,
  chat text collate "C" not null,
  walletaddr text collate "C" not null,
  role text collate "C" not null check (role in ('owner', 'moderator')),
  since_ms bigint not null,
  primary key (bucket, chat, walletaddr)
);
-- This finds the roles of a wallet, for its export and its erasure.
create index chat_roles_wallet on chat_roles (walletaddr, chat);

-- These wallets are the team of a chat, as its owner has named them. The table is small, lies on the coordinator of a cluster and
-- has no bucket.
create table chat_team (
  chat text collate "C" not null,
  walletaddr text collate "C" not null,
  label text not null,
  named_by text collate "C" not null,
  since_ms bigint not null,
  primary key (chat, walletaddr)
);
-- This finds the teams of a wallet, for its card, its export and its erasure.
create index chat_team_wallet on chat_team (walletaddr, chat);

-- Says what a wallet may not do in a chat, and until when: post (muted), or read and post (banned). Every instance holds in
-- memory what counts (server/src/messages/chat-rules.ts). A row stays for a day after its end, so that every instance learns of
-- it.
create table chat_restrictions (
  bucket integer not null,
  chat text collate "C" not null,
  walletaddr text collate "C" not null,
  -- 2^53 - 1 means forever, 0 means no mute.
  muted_until_ms bigint not null default 0,
  banned_until_ms bigint not null default 0,
  reason text not null,
  ms bigint not null,
  primary key (bucket, chat, walletaddr)
);
create index chat_restrictions_ms on chat_restrictions (ms);
create index chat_restrictions_wallet on chat_restrictions (walletaddr, chat);

-- The owner of a chat has set these rules. Every instance holds them in memory too.
create table chat_rules (
  bucket integer not null,
  chat text collate "C" not null,
  -- A wallet waits this many seconds between two posts; 0 for none.
  slow_seconds integer not null default 0,
  -- A post with one of these words waits for a moderator.
  words text[] not null default '{}',
  -- The chat stores its messages for this many days; 0 for as long as the service does.
  retention_days integer not null default 0,
  ms bigint not null,
  primary key (bucket, chat)
);
create index chat_rules_ms on chat_rules (ms);
create index chat_rules_retention on chat_rules (bucket, chat) where retention_days > 0;

-- This is the log of what owners and moderators did. Rows are deleted after a year.
create table chat_log (
  bucket integer not null,
  chat text collate "C" not null,
  id bigint not null,
  ms bigint not null,
  actor text collate "C" not null,
  action text collate "C" not null,
  -- The action is about this wallet; it is empty for none.
  subject text collate "C" not null,
  -- The action is about this message.
  post_id bigint,
  until_ms bigint,
  reason text not null,
  -- It happened in this room of the community; null for the chat itself.
  room text collate "C",
  primary key (bucket, chat, id)
);
create index chat_log_ms on chat_log (ms);
-- These find what a wallet did, and what was done with it, for its export.
create index chat_log_actor on chat_log (actor, id);
create index chat_log_subject on chat_log (subject, id);

-- Adds a row to the log of a chat.
create function log_in_chat_v1(
  p_ms bigint, p_bucket integer, p_chat text, p_actor text, p_action text, p_subject text, p_post_id bigint, p_until_ms bigint,
  p_reason text, p_room text
) returns bigint language plpgsql as $$
declare
  drawn constant bigint := (draw_ids_v1(p_ms, array[p_bucket]))[1];
  new_id constant bigint := next_id_v1(p_bucket, drawn);
begin
  insert into chat_log (bucket, chat, id, ms, actor, action, subject, post_id, until_ms, reason, room)
  values (p_bucket, p_chat, new_id, p_ms, p_actor, p_action, p_subject, p_post_id, p_until_ms, p_reason, p_room);
  return new_id;
end $$;

-- Posts a held message for everybody, with a new id and a new time, and removes it from the held ones; with `p_withheld` only its
-- author still sees it, as any post of that author. Returns its author, and the new id or why there is none; no row when it is
-- not held.
create function approve_post_v1(p_ms bigint, p_bucket integer, p_chat text, p_id bigint, p_withheld boolean)
returns table (fromaddr text, id bigint, refused text) language plpgsql as $$
#variable_conflict use_column
declare
  drawn constant bigint[] := draw_ids_v1(p_ms, array[p_bucket]);
  held record;
  shown record;
  posted record;
begin
  -- This locks in the order of a post, first the chat.
  select c.nftaddr, c.context_type into shown from group_chats c where c.bucket = p_bucket and c.chat = p_chat for update;
  select w.fromaddr, w.message, w.reply_to, w.files into held from withheld_posts w
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
  -- What it replies to may be deleted since. Its files get the new message.
  if held.reply_to is not null or held.files is not null then
    update files f set item_id = posted.id where f.bucket = p_bucket and f.item_id = p_id;
    update group_messages g set reply_to = held.reply_to, files = held.files,
      marks = (held.reply_to is not null)::integer * 8 + (held.files is not null)::integer * 32
    where g.bucket = p_bucket and g.chat = p_chat and g.id = posted.id;
    update withheld_posts w set reply_to = held.reply_to, files = held.files,
      marks = (held.reply_to is not null)::integer * 8 + (held.files is not null)::integer * 32
    where w.bucket = p_bucket and w.chat = p_chat and w.fromaddr = held.fromaddr and w.id = posted.id;
  end if;
  delete from withheld_posts w where w.bucket = p_bucket and w.chat = p_chat and w.id = p_id;
  perform forget_marks_v1(p_bucket, array[p_id]);
  update group_visits v set withheld = v.withheld - 1, seen_withheld = least(v.seen_withheld, v.withheld - 1)
  where v.bucket = p_bucket and v.chat = p_chat and v.walletaddr = held.fromaddr;
  -- Its author must read it again: the version that the author has seen until now is another message.
  perform announce_v1(p_ms, p_bucket, drawn, array['chat ' || p_chat || ' ' || held.fromaddr], '{"type":"resync"}');
  return query select held.fromaddr, posted.id, null::text;
end $$;

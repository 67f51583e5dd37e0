-- Which chats a wallet is told of in full: each message, not only those that mention it. Of no use where it has not joined.
alter table group_visits add column tell_all boolean not null default false;
-- Whom the reader of the log tells of a message in a chat.
-- locks: nobody has chosen it yet, so it is empty; group_visits is read once, about a second for some million rows
create index group_visits_told on group_visits (bucket, chat, walletaddr) where joined and tell_all;

-- It begins at the end: nobody was told of chats before.
insert into log_readers (name, id, seen_id, seen_xid)
select 'chat-pushes', coalesce(max(id), 0), 0, 0 from group_messages;

-- Webhooks are told of chats, of deletions and of commands, and their keys can be changed.

alter table webhooks
  -- The only chat, or the only peer, that is told of; null for all.
  add column chat text collate "C",
  add column peer text collate "C",
  -- Those before the last rotation, and until when they sign too.
  add column old_secret text,
  add column old_private_key text,
  add column old_until_ms bigint;

-- `id` is that of an entry of the log: of a message, a post or an event. No two tables of the log have the same.
alter table webhook_deliveries
  -- The chat of what is told; null for direct messages.
  add column chat text collate "C",
  -- Which message was deleted; null where all of a conversation were.
  add column about bigint,
  -- What the receiver of a command has answered: until it is posted, and what became of it. It is answered once.
  add column answer text,
  add column answered text collate "C" check (answered in ('waiting', 'posted', 'refused'));

-- The words that bots answer to in a chat. They lie with the chat.
create table chat_commands (
  bucket integer not null,
  chat text collate "C" not null,
  walletaddr text collate "C" not null,
  word text collate "C" not null,
  description text not null,
  primary key (bucket, chat, walletaddr, word)
);
-- Those of a wallet, for its export and its erasure.
create index chat_commands_wallet on chat_commands (walletaddr, chat, word);

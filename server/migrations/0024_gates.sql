-- The owner of a chat has set these gates. Every instance holds them in memory (server/src/messages/chat-gates.ts), so a removed
-- one stays as a row without rules, which other instances read.
create table chat_gates (
  bucket integer not null,
  chat text collate "C" not null,
  -- A wallet reads when it meets this; null for every signed-in wallet.
  read_rule jsonb,
  -- A wallet posts when it meets this too.
  post_rule jsonb,
  ms bigint not null,
  primary key (bucket, chat)
);
-- Instances read what has changed.
create index chat_gates_ms on chat_gates (ms);

-- Says what was imported into a chat from elsewhere (server/src/operate/import/): one export, into a chat that was empty. Its messages
-- have the mark 64. They are no part of the log: nobody is notified of them (server/src/messages/imported.ts).
create table imports (
  bucket integer not null,
  chat text collate "C" not null,
  -- This is the system that the export comes from.
  kind text not null,
  -- This is a hash of all messages with their order: the same export again is recognised by it.
  digest text not null,
  -- Its messages have the numbers after this one, which were taken at once: so they precede all that is posted meanwhile.
  first_number bigint not null,
  total bigint not null,
  -- This many are stored. An import that was killed goes on here.
  done bigint not null default 0,
  started_ms bigint not null,
  ended_ms bigint,
  primary key (bucket, chat)
);

-- Chats whose owner has opened them for reading by everybody, and who shows a name there.

create table public_chats (
  bucket integer not null,
  chat text collate "C" not null,
  -- Pages show messages from this time on, and nothing before it: members have had a notice by then. A chat that is closed has no
  -- row, so the statement that reads a page decides, on every instance at once.
  from_ms bigint not null,
  -- Search engines may list the pages.
  searched boolean not null default false,
  -- This is true when only the owner sees that it is open: the wallet is muted unseen.
  unseen boolean not null default false,
  primary key (bucket, chat)
);

-- These wallets show their names beside their messages on public pages; all others are members without a name.
create table public_names (
  walletaddr text collate "C" primary key,
  since_ms bigint not null
);

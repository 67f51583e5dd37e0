-- Chats compare by `chat`: the lower-case form of a community's slug or of an NFT chat's key.
create table communities (
  chat text collate "C" primary key,
  -- As its creator wrote it.
  community text not null,
  creator text collate "C" not null,
  social jsonb not null default '[]',
  created_at timestamptz not null default now()
);

-- One row per chat that has a message or a member: what an inbox or a landing page needs without counting.
create table group_chats (
  chat text collate "C" primary key,
  -- As the community's creator wrote it, or as an NFT chat's key was first written.
  nftaddr text not null,
  context_type text not null check (context_type in ('nft', 'community')),
  -- The time of the newest message; the next one is later.
  last_time timestamptz(3) not null default '-infinity',
  -- How many messages there are, and how many wallets have joined.
  posted bigint not null default 0,
  members bigint not null default 0 check (members >= 0)
) with (fillfactor = 70); -- counters change with every message: room for updates that touch no index

create table group_messages (
  id bigint primary key default nextval('item_ids'),
  chat text collate "C" not null,
  fromaddr text collate "C" not null,
  message text not null,
  timestamp timestamptz(3) not null
);
-- A chat's history and its last message. Ids are drawn under the chat's lock, so they are in the order of time.
create index group_messages_chat on group_messages (chat, id);

-- What a wallet did in a chat; written when it posts or enters, never when others do. What it has not read is what was
-- posted since it entered (group_chats.posted - seen) less its own messages since then (posted - seen_own).
create table group_visits (
  walletaddr text collate "C" not null,
  chat text collate "C" not null,
  -- Its own messages.
  posted bigint not null default 0,
  -- When it last entered, and both numbers at that moment.
  entry_time timestamptz(3),
  seen bigint not null default 0,
  seen_own bigint not null default 0,
  primary key (walletaddr, chat)
) with (fillfactor = 70);

create table bookmarks (
  id bigint generated always as identity primary key,
  walletaddr text collate "C" not null,
  chat text collate "C" not null,
  -- As the wallet wrote the key.
  nftaddr text not null,
  chain text not null default '',
  unique (walletaddr, chat)
);
-- The members of a chat.
create index bookmarks_chat on bookmarks (chat);

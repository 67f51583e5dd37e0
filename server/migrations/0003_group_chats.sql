-- Chats compare by `chat`: the lower-case slug of a community, or the canonical key of an NFT chat.
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
  context_type text not null check (context_type in ('nft', 'community')),
  -- The time of the newest message; the next one is later.
  last_time timestamptz(3) not null default '-infinity',
  -- How many messages there are. The newest one's `place` is this number.
  posted bigint not null default 0,
  -- How many wallets have joined.
  members bigint not null default 0 check (members >= 0)
) with (fillfactor = 70);

create table group_messages (
  id bigint generated always as identity primary key,
  chat text collate "C" not null,
  -- 1, 2, 3 … within the chat, in the order of time.
  place bigint not null,
  fromaddr text collate "C" not null,
  message text not null,
  -- As the sender wrote the chat's key.
  nftaddr text not null,
  timestamp timestamptz(3) not null
);
-- A chat's history, its last message, and polling by id.
create unique index group_messages_place on group_messages (chat, place);
create index group_messages_chat on group_messages (chat, id);

-- What a wallet did in a chat; written when it posts or enters, never when others do. What it has not read is
-- (group_chats.posted - seen_place) less its own messages since then, (posted - seen_posted).
create table group_visits (
  walletaddr text collate "C" not null,
  chat text collate "C" not null,
  -- Its own messages.
  posted bigint not null default 0,
  -- When it last entered, and both numbers at that moment.
  entry_time timestamptz(3),
  seen_place bigint not null default 0,
  seen_posted bigint not null default 0,
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
-- The members of a chat, for live events.
create index bookmarks_chat on bookmarks (chat);

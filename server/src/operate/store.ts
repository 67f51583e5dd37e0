// The operator's tool reads these: numbers and times, never a text, a mail address or a secret.

import type { Session } from '../db/session.ts'
import { communityOf } from '../messages/chat-key.ts'
import { walletBucket, chatBucket } from '../values/bucket.ts'

interface Server {
  version: string
  size: number
  is_standby: boolean
  oldest_event_ms: number | null
}

export async function getServer({ query }: Session): Promise<Server> {
  const [row] = await query<Server>(
    `select split_part(current_setting('server_version'), ' ', 1) as version, pg_database_size(current_database())::float8 as size,
       pg_is_in_recovery() as is_standby, (select min(ms)::float8 from events) as oldest_event_ms`,
  )
  return row!
}

/** Returns the age in seconds of the last commit that a standby shows; null before the first. */
export async function getAge({ query }: Session): Promise<number | null> {
  const [row] = await query<{ age: number | null }>(
    'select extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as age',
  )
  return row!.age
}

/** Returns about how many rows the large tables have, as the database counted them last; null before it has. */
export const estimateRows = ({ query }: Session) =>
  query<{ name: string; rows: number | null }>(
    `select c.relname as name, case when max(p.reltuples) >= 0 then sum(greatest(p.reltuples, 0))::float8 end as rows
     from pg_class c join pg_class p on p.oid = c.oid or p.oid in (select inhrelid from pg_inherits where inhparent = c.oid)
     where c.relnamespace = 'public'::regnamespace
       and c.relname in ('direct_messages', 'group_messages', 'comments', 'conversations', 'wallets_seen')
     group by c.relname order by c.relname`,
  )

export interface WalletFacts {
  first_ms: number | null
  name: string | null
  conversations: number
  unread: number
  requests: number
  chats: number
  sessions: number
  has_mail: boolean
  encrypts: boolean
  is_operator: boolean
}

export async function getWallet({ query }: Session, address: string): Promise<WalletFacts> {
  const [row] = await query<WalletFacts>(
    `select (select first_ms::float8 from wallets_seen where wbucket = $2 and address = $1) as first_ms,
       (select name from profiles where address = $1) as name,
       count(c.id)::float8 as conversations, coalesce(sum(c.unread), 0)::float8 as unread,
       count(c.id) filter (where c.state = 0 and c.unread > 0)::float8 as requests,
       (select count(chat)::float8 from bookmarks where wbucket = $2 and walletaddr = $1) as chats,
       (select count(id)::float8 from sessions where wbucket = $2 and walletaddr = $1) as sessions,
       exists (select walletaddr from settings where wbucket = $2 and walletaddr = $1 and verified) as has_mail,
       exists (select address from keys where wbucket = $2 and address = $1) as encrypts,
       exists (select address from operators where address = $1) as is_operator
     from (
       select id, unread_a as unread, state_a as state from conversations where a = $1
       union all select id, unread_b, state_b from conversations where b = $1 and a <> $1
     ) c`,
    [address, walletBucket(address)],
  )
  return row!
}

/** Returns what operators have decided about a wallet or a chat. */
export const findSanctions = ({ query }: Session, subject: string) =>
  query<{ kind: string; until_ms: number | null }>(
    'select kind, until_ms::float8 as until_ms from sanctions where subject = $1 and (until_ms is null or until_ms > $2) order by kind',
    [subject, Date.now()],
  )

export interface ChatFacts {
  nftaddr: string
  kind: string
  messages: number
  members: number
  last_ms: number
  waiting: number
  restricted: number
}

export async function getChat({ query }: Session, chat: string): Promise<ChatFacts | undefined> {
  const [row] = await query<ChatFacts>(
    `select nftaddr, context_type as kind, (posted - expired)::float8 as messages, members::float8 as members,
       last_ms::float8 as last_ms,
       (select count(id)::float8 from withheld_posts where bucket = $2 and chat = $1 and held) as waiting,
       (select count(walletaddr)::float8 from chat_restrictions
        where bucket = $2 and chat = $1 and greatest(muted_until_ms, banned_until_ms) > $3) as restricted
     from group_chats where bucket = $2 and chat = $1`,
    [chat, chatBucket(chat), Date.now()],
  )
  return row
}

export const findRoles = ({ query }: Session, chat: string) =>
  query<{ walletaddr: string; role: string }>(
    'select walletaddr, role from chat_roles where bucket = $1 and chat = $2 order by role desc, walletaddr',
    [chatBucket(chat), communityOf(chat)],
  )

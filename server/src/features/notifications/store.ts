import { enqueueEach } from '../../jobs/queue.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf, ofWallet } from '../../db/own-rows.ts'
import type { Context } from '../../context.ts'
import { mayNotify, takesAll } from '../../messages/consent.ts'
import { decide, type Recipient } from '../../messages/notification-policy.ts'
import { mutedPeers, mutedUntil, nameOf, unreadInChat } from '../../messages/shared-sql.ts'
import { chatBucket, walletBucket } from '../../values/bucket.ts'

// The content of mails is read when they are sent, not when the job is added: meanwhile a message may have been read, an address
// changed, or mails unsubscribed. Only confirmed addresses get mails. No message text is read.

/**
 * Returns the address that waits for confirmation, and the hash of its code; undefined when it no longer waits.
 */
export async function findUnconfirmed(
  db: Db,
  walletaddr: string,
  verificationId: string,
): Promise<{ email: string; hash: Buffer } | undefined> {
  const [row] = await db.query<{ email: string; hash: Buffer }>(
    `select email, verification_hash as hash from settings
     where ${ofWallet} and verification_id = $3 and verification_expires_ms > $4`,
    keyOf(walletaddr, verificationId, db.now()),
  )
  return row
}

export interface Party {
  address: string
  /** The name is empty when there is none. */
  name: string
  /** Says whether a wallet is of the team of the service, where its name says so or it is. */
  sign?: 'official' | 'not official' | undefined
}

/** Returns the confirmed address of a wallet that wants these mails. */
export async function findConfirmed(
  db: Db,
  walletaddr: string,
  kind: 'notifydm' | 'notify24',
): Promise<string | undefined> {
  const [row] = await db.query<{ email: string }>(
    `select email from settings where ${ofWallet} and ${kind} and verified`,
    keyOf(walletaddr),
  )
  return row?.email
}

/** Returns the confirmed address of a wallet, whatever mails it wants. */
export async function findEmailOf(db: Db, walletaddr: string): Promise<string | undefined> {
  const [row] = await db.query<{ email: string }>(
    `select email from settings where ${ofWallet} and verified`,
    keyOf(walletaddr),
  )
  return row?.email
}

/** The unread messages in conversations of one kind. */
export interface Unread {
  /** The number of messages, and of their conversations. */
  unread: number
  conversations: number
  /** The conversations with the most unread messages, at most ten. */
  top: { party: Party; unread: number }[]
}

export interface Summary {
  email: string
  messages: Unread
  chats: Unread
}

/**
 * Returns the unread messages of a wallet that wants the daily summary: direct messages by peer, and the chats that it has joined
 * and may read; only what may notify it.
 */
export async function findSummary(
  { db, config, gate }: Pick<Context, 'db' | 'config' | 'gate'>,
  walletaddr: string,
  recipient: Recipient,
): Promise<Summary | undefined> {
  const email = await findConfirmed(db, walletaddr, 'notify24')
  if (email === undefined) return undefined
  const joined = await findJoined(db, walletaddr)
  const closed = new Set(await gate.closedTo(walletaddr, joined))
  const mayCount = (chat: string) =>
    decide({ ...ofJoined, closed: closed.has(chat) }, recipient, 'summary', db.now()).notify === 'now'
  const open = joined.filter(mayCount)
  const [[messages], [chats]] = await Promise.all([
    db.query<Unread>(unreadIn(db.layout.inbox.conversations), [
      walletaddr,
      walletBucket(walletaddr),
      db.now(),
      config.dmDefault,
    ]),
    db.query<Unread>(unreadChats, [walletaddr, open.map(chatBucket), open]),
  ])
  return { email, messages: messages!, chats: chats! }
}

/** This holds for every chat below. The unread posts are counted afterwards. */
const ofJoined = {
  about: 'chat',
  joined: true,
  muted: false,
  blocked: false,
  unread: 1,
  mentioned: false,
  everyPost: true,
} as const

/** Returns the chats that a wallet has joined and not muted. */
async function findJoined(db: Db, walletaddr: string): Promise<string[]> {
  const rows = await db.query<{ chat: string }>(
    `select chat from bookmarks b where ${ofWallet} and coalesce(${mutedUntil('b', '$2', '$1')} <= $3, true)`,
    keyOf(walletaddr, db.now()),
  )
  return rows.map(({ chat }) => chat)
}

const summaryOf = (rows: string) => `
  select coalesce(sum(unread), 0)::bigint as unread, count(*) as conversations, coalesce(
    json_agg(json_build_object('party', json_build_object('address', address, 'name', name), 'unread', unread) order by place)
      filter (where place <= 10), '[]') as top
  from (select *, row_number() over (order by unread desc, address) as place from (${rows}) r where unread > 0) ranked`

const side = { state: 'c.state', blocked: 'false', peer: 'c.peer' }

const unreadIn = (rows: string) =>
  `with ${mutedPeers('$3')} ${summaryOf(
    `select peer as address, ${nameOf('peer')} as name, unread from (${rows}) c where ${mayNotify(side, takesAll('$1', '$4'))}`,
  )}`

const unreadChats = summaryOf(`
  select c.nftaddr as address, case when c.context_type = 'community' then c.nftaddr else ${nameOf('c.nftaddr')} end as name,
    ${unreadInChat} as unread
  from unnest($2::integer[], $3::text[]) as b (bucket, chat)
  join group_chats c on c.bucket = b.bucket and c.chat = b.chat
  left join group_visits v on v.bucket = c.bucket and v.chat = c.chat and v.walletaddr = $1`)

/**
 * Adds a job for each of the next thousand wallets that want a summary; returns the last wallet, or null at the end.
 */
export async function queueSummaries(db: Db, after: string, day: string): Promise<string | null> {
  const page = await db.query<{ walletaddr: string }>(
    'select walletaddr from settings where notify24 and verified and walletaddr > $1 order by walletaddr limit 1000',
    [after],
  )
  const wallets = page.map(({ walletaddr }) => walletaddr)
  await db.query(queue, [wallets, day])
  return wallets.at(-1) ?? null
}

const queue = enqueueEach(
  'send-daily-summary',
  `json_build_object('walletaddr', walletaddr)`,
  `'send-daily-summary ' || $2::text || ' ' || walletaddr`,
  'select walletaddr from unnest($1::text[]) as w (walletaddr)',
)

/** Stops one kind of mail to a wallet, if its mails still go to this address. */
export const stopMails = (db: Db, kind: 'notifydm' | 'notify24', walletaddr: string, email: string) =>
  db.query(`update settings set ${kind} = false where ${ofWallet} and email = $3`, keyOf(walletaddr, email))

export async function findEmail(db: Db, walletaddr: string): Promise<string | undefined> {
  const [row] = await db.query<{ email: string }>(
    `select email from settings where ${ofWallet} and email is not null`,
    keyOf(walletaddr),
  )
  return row?.email
}

// Says what a wallet's choices about a peer mean for messages of that peer: may they notify the wallet, and does the wallet see
// the peer typing?

import { LRUCache } from 'lru-cache'
import type { Config } from '../config/settings.ts'
import { coalesced } from '../db/coalesce.ts'
import { keyOf, ofWallet } from '../db/own-rows.ts'
import type { Db } from '../db/pool.ts'
import { hasWritten } from '../limits/written.ts'
import { inOrder, pairBucket } from '../values/bucket.ts'
import { mutedUntil } from './shared-sql.ts'

/** Describes a wallet's side of a conversation, as SQL. */
interface Side {
  state: string
  blocked: string
}

/** This is true when a wallet has neither blocked nor ignored a peer, as SQL. */
export const isHeard = ({ state, blocked }: Side) => `(not ${blocked} and ${state} <> 2)`

/**
 * This is true when messages of a peer count for a wallet that is away, as notification-policy.ts decides: SQL beside `muted`
 * (shared-sql.ts). `requestsDo` says whether messages of strangers count.
 */
export const mayNotify = ({ peer, ...side }: Side & { peer: string }, requestsDo: string) =>
  `(${isHeard(side)} and (${side.state} = 1 or ${requestsDo}) and ${peer} not in (select peer from muted))`

/** This is true when a wallet accepts messages from everyone, so that requests notify it. */
export const takesAll = (wallet: string, dmDefault: string) =>
  `coalesce((select p.dm_policy from profiles p where p.address = ${wallet}), ${dmDefault}) = 'everyone'`

const findSide = coalesced<{ state: number; blocked: boolean; policy: string | null }>(
  `select coalesce(case when c.a = $4 then c.state_a else c.state_b end, 0) as state,
     coalesce(case when c.a = $4 then c.blocked_a else c.blocked_b end, false) as blocked, p.dm_policy as policy
   from buckets l left join conversations c on c.bucket = l.bucket and c.a = $2 and c.b = $3
   left join profiles p on p.address = $4
   where l.bucket = $1`,
  ['integer', 'text', 'text', 'text'],
  { atOnce: 32 },
)

/** Returns what a wallet has decided about a peer. */
export async function getSide(
  db: Db,
  wallet: string,
  peer: string,
): Promise<{ state: number; blocked: boolean }> {
  const [side] = await findSide(db, [pairBucket(wallet, peer), ...inOrder(wallet, peer), wallet])
  return side!
}

/** Returns true when a wallet has muted a chat. */
export async function isChatMuted(db: Db, wallet: string, chat: string): Promise<boolean> {
  const [row] = await db.query<{ muted: boolean }>(
    `select coalesce(${mutedUntil('b', '$2', '$1')}, 0) > $4 as muted from bookmarks b where ${ofWallet} and chat = $3`,
    keyOf(wallet, chat, db.now()),
  )
  return row?.muted ?? false
}

const findAnswer = coalesced<{ answered: boolean }>(
  `select case when c.a = $4 then ${hasWritten('a', '$1')} else ${hasWritten('b', '$1')} end as answered
   from conversations c where c.bucket = $1 and c.a = $2 and c.b = $3`,
  ['integer', 'text', 'text', 'text'],
  { atOnce: 32 },
)

/**
 * Returns true when `toaddr` has written to `fromaddr`. It makes no difference whether `toaddr` has accepted, ignored or blocked
 * `fromaddr`.
 */
export async function isAnswered({ db }: { db: Db }, fromaddr: string, toaddr: string): Promise<boolean> {
  const values = [pairBucket(fromaddr, toaddr), ...inOrder(fromaddr, toaddr), toaddr]
  const [found] = await findAnswer(db, values)
  return found?.answered ?? false
}

/** The result is cached for this many milliseconds. */
const lifetime = 2_000
const memories = new WeakMap<Db, LRUCache<string, Promise<boolean>>>()

function memoryOf(db: Db): LRUCache<string, Promise<boolean>> {
  const known =
    memories.get(db) ??
    new LRUCache({
      maxSize: 20_000,
      sizeCalculation: () => 1,
      ttl: lifetime,
      perf: { now: () => performance.now() },
    })
  memories.set(db, known)
  return known
}

/**
 * Returns true when a wallet sees that another is typing: not when it has blocked or ignored that wallet, and not in a request.
 * An instance queries the database every two seconds at most.
 */
export function seesTyping(
  { db, config }: { db: Db; config: Pick<Config, 'dmDefault'> },
  fromaddr: string,
  toaddr: string,
): Promise<boolean> {
  const memory = memoryOf(db)
  const pair = `${fromaddr} ${toaddr}`
  const known = memory.get(pair)
  if (known) return known
  const result = findSide(db, [pairBucket(fromaddr, toaddr), ...inOrder(fromaddr, toaddr), toaddr]).then(
    ([side]) => {
      const { state, blocked, policy } = side!
      return !blocked && (state === 1 || (state === 0 && (policy ?? config.dmDefault) === 'everyone'))
    },
  )
  memory.set(pair, result)
  result.catch(() => memory.delete(pair))
  return result
}

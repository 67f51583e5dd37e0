// What a wallet's choices about another mean for what the other writes: whether it may notify the wallet, and whether the
// wallet sees it typing.

import { LRUCache } from 'lru-cache'
import type { Config } from '../config/settings.ts'
import { coalesced } from '../db/coalesce.ts'
import type { Db } from '../db/pool.ts'
import { hasWritten } from '../limits/written.ts'
import { inOrder, pairBucket } from '../values/bucket.ts'

/** The side that a wallet has of a conversation, as SQL. */
interface Side {
  state: string
  blocked: string
  peer: string
}

/**
 * Whether messages of a peer may notify a wallet that is away, by mail or otherwise: SQL beside `muted` (shared-sql.ts).
 * `requestsDo` says whether those of strangers may.
 */
export const mayNotify = ({ state, blocked, peer }: Side, requestsDo: string) =>
  `(not ${blocked} and (${state} = 1 or (${state} = 0 and ${requestsDo})) and ${peer} not in (select peer from muted))`

/** Whether a wallet takes messages of everyone, so that requests notify it. */
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

const findAnswer = coalesced<{ answered: boolean }>(
  `select case when c.a = $4 then ${hasWritten('a', '$1')} else ${hasWritten('b', '$1')} end as answered
   from conversations c where c.bucket = $1 and c.a = $2 and c.b = $3`,
  ['integer', 'text', 'text', 'text'],
  { atOnce: 32 },
)

/** Whether `toaddr` has written to `fromaddr`. That it has accepted, ignored or blocked it makes no difference. */
export async function isAnswered({ db }: { db: Db }, fromaddr: string, toaddr: string): Promise<boolean> {
  const values = [pairBucket(fromaddr, toaddr), ...inOrder(fromaddr, toaddr), toaddr]
  const [found] = await findAnswer(db, values)
  return found?.answered ?? false
}

/** How long it is remembered who sees whom typing, in milliseconds. */
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
 * Whether a wallet sees that another is typing to it: not when it has blocked or ignored it, and not from a request
 * that it keeps. An instance asks the database every two seconds at most.
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
  const asked = findSide(db, [pairBucket(fromaddr, toaddr), ...inOrder(fromaddr, toaddr), toaddr]).then(
    ([side]) => {
      const { state, blocked, policy } = side!
      return !blocked && (state === 1 || (state === 0 && (policy ?? config.dmDefault) === 'everyone'))
    },
  )
  memory.set(pair, asked)
  asked.catch(() => memory.delete(pair))
  return asked
}

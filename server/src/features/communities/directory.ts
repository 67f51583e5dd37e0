import type { CommunityEntry } from '@parley/sdk/contract/communities.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { instant, logoOf } from '../../messages/shared-sql.ts'
import type { Db } from '../../db/pool.ts'
import { parseSlug } from '../../values/display-name.ts'
import { chatBucket } from '../../values/bucket.ts'

interface Query {
  prefix?: string
  limit: number
  after?: string
}

/**
 * Returns a page of the directory. Names that the rule would refuse today are left out, so that a page is short only at the end;
 * so are those with the keys `hidden`.
 */
export async function findCommunities(
  db: Db,
  wallet: string,
  { prefix, limit, after }: Query,
  hidden: string[],
): Promise<CommunityEntry[]> {
  const page: CommunityEntry[] = []
  let last = after
  while (page.length < limit) {
    const missing = limit - page.length
    const rows = await (prefix
      ? db.query<CommunityEntry>(byName, [wallet, missing, hidden, ...rangeOf(prefix, last)])
      : findLargest(db, wallet, missing, hidden, last))
    page.push(...rows.filter(({ community }) => !('problem' in parseSlug(community))))
    if (rows.length < missing) break
    last = rows.at(-1)!.community
  }
  return page
}

async function findLargest(
  db: Db,
  wallet: string,
  limit: number,
  hidden: string[],
  after: string | undefined,
) {
  const chat = chatKey(after ?? '')
  // This is the current place of the last one: it may have moved, and then some are missed or come again.
  const [last] = after
    ? await db.query<{ members: number }>('select members from group_chats where bucket = $1 and chat = $2', [
        chatBucket(chat),
        chat,
      ])
    : []
  const members = after ? (last?.members ?? 0) : Number.MAX_SAFE_INTEGER
  return db.query<CommunityEntry>(byMembers, [wallet, limit, hidden, members, chat])
}

/** Returns the first and the last key that begin with a text; the first one comes after the last known key. */
const rangeOf = (prefix: string, after: string | undefined) => {
  const begin = chatKey(prefix)
  return [after === undefined ? begin : `${chatKey(after)}\u0001`, `${begin}\u{10FFFF}`]
}

/** SQL for the time of the last post that a wallet sees: its own may be seen by it alone. */
const lastMs = `(case when c.withheld_ms > c.last_ms then greatest(c.last_ms, (
    select w.ms from withheld_posts w where w.bucket = c.bucket and w.chat = c.chat and w.fromaddr = $1
    order by w.bucket desc, w.chat desc, w.fromaddr desc, w.id desc limit 1
  )) else c.last_ms end)`

const entry = `
  k.community, ${logoOf('k.chat')} as logo, coalesce(c.members, 0) as members,
  coalesce((select v.joined from group_visits v where v.bucket = k.bucket and v.chat = k.chat and v.walletaddr = $1), false) as joined,
  coalesce(${instant(`nullif(${lastMs}, 0)`)}, '') as timestamp`

const byMembers = `
  select ${entry} from group_chats c join communities k on k.bucket = c.bucket and k.chat = c.chat
  where c.context_type = 'community' and c.members > 0 and c.members <= $4 and (c.members < $4 or c.chat > $5)
    and c.chat <> all($3::text[])
  order by c.members desc, c.chat limit $2`

const byName = `
  select ${entry} from communities k left join group_chats c on c.bucket = k.bucket and c.chat = k.chat
  where k.chat >= $4 and k.chat <= $5 and k.chat <> all($3::text[]) order by k.chat limit $2`

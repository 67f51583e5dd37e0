import { type CommunityEntry, type directory } from '@parley/sdk/contract/directory.ts'
import type { Query as QueryOf } from '@parley/sdk/contract/endpoint.ts'
import { indexWordsOf, parseQuery } from '@parley/sdk/search/query.ts'
import type { Db } from '../../db/pool.ts'
import { badRequest } from '../../http/validation.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { instant, logoOf } from '../../messages/shared-sql.ts'
import { chatBucket } from '../../values/bucket.ts'
import { parseSlug } from '../../values/display-name.ts'
import { aboutColumns, toldOf, tsquery } from './about.ts'

type Query = QueryOf<(typeof directory)['listCommunities']>

/** One kind of list, as its statements need it. */
type List = { by: 'name'; prefix: string } | { by: 'size' } | { by: Sort; terms: string }
type Sort = keyof typeof places

/** An entry, and the wallet that owns the community. */
export type Found = CommunityEntry & { owner: string | null }
type Row = Omit<Found, 'active' | 'featured' | 'is_public'> & {
  about: string
  tags: string[]
  active: number
  featured: boolean
  /** Anyone reads it on its page from this time on; null for one that is closed. */
  public_ms: number | null
}

/** Returns the list that a query names, or throws 400. */
export function listOf({ prefix, sort, words, tag }: Query): List {
  const isFound = sort !== undefined || words !== undefined || tag !== undefined
  if (prefix !== undefined && isFound)
    throw badRequest([{ pointer: '/query/prefix', detail: 'must stand alone: it has an order of its own' }])
  if (prefix) return { by: 'name', prefix }
  if (!isFound) return { by: 'size' }
  const parsed = parseQuery(words ?? '')
  if ('problem' in parsed) throw badRequest([{ pointer: '/query/words', detail: parsed.problem }])
  return { by: sort ?? 'active', terms: tsquery(indexWordsOf(parsed), tag) }
}

interface Page {
  limit: number
  after?: string | undefined
}

/**
 * Returns a page of the directory. Names that the rule would refuse today are left out, so that a page is short only at the end;
 * so are those with the keys `hidden`.
 */
export async function findCommunities(
  db: Db,
  wallet: string,
  list: List,
  { limit, after }: Page,
  hidden: string[],
): Promise<Found[]> {
  const page: Found[] = []
  let last = after
  while (page.length < limit) {
    const missing = limit - page.length
    const values = [wallet, missing, hidden]
    const rows = await (list.by === 'name'
      ? db.query<Row>(byName, [...values, ...rangeOf(list.prefix, last)])
      : list.by === 'size'
        ? findLargest(db, values, last)
        : findSorted(db, values, list, last))
    const shown = rows.filter(({ community }) => !('problem' in parseSlug(community)))
    page.push(...shown.map((row) => foundOf(row, db.now())))
    if (rows.length < missing) break
    last = rows.at(-1)!.community
  }
  return page
}

const foundOf = ({ about, tags, active, featured, public_ms, ...entry }: Row, now: number): Found => ({
  ...entry,
  ...toldOf({ about, tags }),
  ...(active > 0 && { active }),
  ...(featured && { featured }),
  ...(public_ms !== null && public_ms <= now && { is_public: true }),
})

async function findLargest(db: Db, values: unknown[], after: string | undefined) {
  const chat = chatKey(after ?? '')
  // This is the current place of the last one: it may have moved, and then some are missed or come again.
  const [last] = after
    ? await db.query<{ members: number }>('select members from group_chats where bucket = $1 and chat = $2', [
        chatBucket(chat),
        chat,
      ])
    : []
  const members = after ? (last?.members ?? 0) : Number.MAX_SAFE_INTEGER
  return db.query<Row>(byMembers, [...values, members, chat])
}

async function findSorted(
  db: Db,
  values: unknown[],
  { by, terms }: { by: Sort; terms: string },
  after: string | undefined,
) {
  const chat = chatKey(after ?? '')
  const [last] = after
    ? await db.query<{ place: number }>(
        `select ${places[by]} as place from community_profiles p where p.bucket = $1 and p.chat = $2`,
        [chatBucket(chat), chat],
      )
    : []
  const place = after ? (last?.place ?? -1) : Number.MAX_SAFE_INTEGER
  return db.query<Row>(sorted(by, terms !== ''), [...values, place, chat, ...(terms ? [terms] : [])])
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

const joined = `coalesce((select v.joined from group_visits v where v.bucket = k.bucket and v.chat = k.chat and v.walletaddr = $1), false)`

const entry = `
  k.community, ${logoOf('k.chat')} as logo, coalesce(c.members, 0) as members, ${joined} as joined,
  coalesce(${instant(`nullif(${lastMs}, 0)`)}, '') as timestamp,
  ${aboutColumns()}, coalesce(p.active, 0) as active, coalesce(p.featured, false) as featured,
  (select o.from_ms from public_chats o where o.bucket = k.bucket and o.chat = k.chat and not o.unseen) as public_ms`

const withProfile = 'left join community_profiles p on p.bucket = k.bucket and p.chat = k.chat'

const byMembers = `
  select ${entry} from group_chats c join communities k on k.bucket = c.bucket and k.chat = c.chat ${withProfile}
  where c.context_type = 'community' and c.members > 0 and c.members <= $4 and (c.members < $4 or c.chat > $5)
    and c.chat <> all($3::text[]) and coalesce(p.listed, true)
  order by c.members desc, c.chat limit $2`

const byName = `
  select ${entry} from communities k left join group_chats c on c.bucket = k.bucket and c.chat = k.chat ${withProfile}
  where k.chat >= $4 and k.chat <= $5 and k.chat <> all($3::text[]) and (coalesce(p.listed, true) or ${joined})
  order by k.chat limit $2`

/** The place of a community in each order, as the indexes of the table have it. */
const places = {
  active: `((case when p.featured then 2 when p.is_last then 0 else 1 end) * 1000000000000000 + p.active::bigint * 100000000 + least(p.members, 99999999))`,
  members: `((case when p.is_last then 0 else 1 end) * 1000000000000000 + p.members)`,
  new: `((case when p.is_last then 0 else 1 end) * 1000000000000000 + p.created_ms)`,
}

/** Nobody finds an empty community by chance, but everybody does by words. A word that many have is a long list to sort. */
const sorted = (by: Sort, hasTerms: boolean) => `
  select ${entry} from community_profiles p join communities k on k.bucket = p.bucket and k.chat = p.chat
  left join group_chats c on c.bucket = p.bucket and c.chat = p.chat
  where p.listed and p.chat <> all($3::text[]) and ${hasTerms ? 'p.words @@ $6::tsquery' : 'p.members > 0'}
    and ${places[by]} <= $4 and (${places[by]} < $4 or p.chat > $5)
  order by ${places[by]} desc, p.chat limit $2`

// Reads the inbox of a wallet on a cluster. Its conversations are read from their copies, which lie in one shard. Chats lie in
// many shards, so a separate statement reads them, for wallets that have joined some. Both are put in order here.

import type { InboxItem } from '@parley/sdk/contract/inbox.ts'
import { JsonList } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { applyCopies, copyShape } from '../copies.ts'
import { mutedPeers, type View } from '../../messages/shared-sql.ts'
import { bucketOfId, walletBucket } from '../../values/bucket.ts'
import { countUnreadInOnCluster, countUnreadOnCluster } from './cluster-counts.ts'
import { copiesOf } from './copies-sql.ts'
import type { Inbox, InboxPage, Of } from './inbox.ts'
import { bookmarksOfCluster, hasJoinedChats } from './joined-chats.ts'
import { chatPlaces, chatRows, copiedPlaces, copiedRows } from './rows.ts'

/** Says where a row stands. The key is `d` and the peer, or `c` and the chat. */
interface Place {
  id: number
  /** It is null for a chat without messages. */
  ms: number | null
  key: string
}

interface Row extends Place {
  item: string
}

/** A page of the response has this many rows. */
const pageRows = 200
/** Longer inboxes, and those with more than this many rows of up to 13 KiB, are read by their keys. */
const mostRows = 2000
const rowsByKey = 80

/** Selects all rows; none when they are many or long. */
const unlessLong = (rows: string) => `
  sorted as materialized (select id, ms, key, is_long, item from (${rows}) r limit ${mostRows + 1})
  select id, ms, key, item from sorted
  where (select count(*) <= ${mostRows} and count(*) filter (where is_long) <= ${rowsByKey} from sorted)`

const withMuted = (view: View | undefined, sql: string) =>
  view ? `with ${mutedPeers('$3')}, ${sql}` : `with ${sql}`
const views = [undefined, 'all', 'main', 'requests'] as const
const ofEachView = <Made>(make: (view: View | undefined) => Made) =>
  new Map(views.map((view) => [view, make(view)]))

const direct = ofEachView((view) => ({
  rows: withMuted(view, unlessLong(copiedRows('true', view))),
  byKey: `${view ? `with ${mutedPeers('$3')}` : ''}
    select id, ms, key, item from (${copiedRows(`peer = any ($${view ? 4 : 3}::text[])`, view)}) r`,
  places: `select id, ms, key from (${copiedPlaces(view)}) r`,
}))

const directValues = ({ wallet, view, now }: Of) => [wallet, walletBucket(wallet), ...(view ? [now] : [])]

// In a view $4 is the time.
const chats = ofEachView((view) => ({
  rows: `with ${bookmarksOfCluster}, ${unlessLong(`select id, ms, 'c' || key as key, is_long, item from (${chatRows('of-cluster', 'true', view)}) r`)}`,
  byKey: `with ${bookmarksOfCluster}
    select id, ms, 'c' || key as key, item from (${chatRows('of-cluster', `chat = any ($${view ? 5 : 4}::text[])`, view)}) r`,
  places: `with ${bookmarksOfCluster} select id, ms, key from (${chatPlaces('of-cluster')}) r`,
}))

const chatValues = ({ wallet, closed, view, now }: Of) => [
  wallet,
  walletBucket(wallet),
  closed.join(' '),
  ...(view ? [now] : []),
]

async function find(db: Db, of: Of, { limit, before }: InboxPage): Promise<JsonList<InboxItem>> {
  const hasChats = (await prepare(db, of.wallet)) && of.view !== 'requests'
  const [ofDirect, ofChats] = [direct.get(of.view)!, chats.get(of.view)!]
  const both = async <Found extends Place>(kind: 'rows' | 'places') =>
    Promise.all([
      db.query<Found>(ofDirect[kind], directValues(of).slice(0, kind === 'places' ? 2 : 3)),
      hasChats ? db.query<Found>(ofChats[kind], chatValues(of).slice(0, kind === 'places' ? 3 : 4)) : [],
    ])
  if (limit === undefined && before === undefined) {
    const found = await both<Row>('rows')
    const isWhole = found[0].length > 0 && (!hasChats || found[1].length > 0)
    if (isWhole) return new JsonList(pagesOfRows(found.flat(), pageRows))
  }
  const places = (await both<Place>('places')).flat().toSorted(inOrder)
  const after =
    before === undefined ? places : places.filter(isAfter(before, await timeOf(db, of.wallet, before)))
  const keys = after.slice(0, limit).map(({ key }) => key)

  async function* pages(long: Db): AsyncGenerator<Buffer, void, undefined> {
    for (let i = 0; i < keys.length; i += rowsByKey) {
      const some = keys.slice(i, i + rowsByKey)
      const ofKind = (kind: string) => some.filter((key) => key.startsWith(kind)).map((key) => key.slice(1))
      const [peers, joined] = [ofKind('d'), ofKind('c')]
      const rows = await Promise.all([
        peers.length > 0 ? long.query<Row>(ofDirect.byKey, [...directValues(of), peers]) : [],
        joined.length > 0 ? long.query<Row>(ofChats.byKey, [...chatValues(of), joined]) : [],
      ])
      yield* pagesOfRows(rows.flat(), rowsByKey)
    }
  }
  return new JsonList(pages)
}

function pagesOfRows(rows: Row[], size: number): Buffer[] {
  const items = rows.toSorted(inOrder).map(({ item }) => item)
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    Buffer.from(items.slice(n * size, (n + 1) * size).join(',')),
  )
}

/** The newest comes first; chats without messages stand at the end. */
const inOrder = (one: Place, other: Place): number =>
  (other.ms ?? -1) - (one.ms ?? -1) ||
  other.id - one.id ||
  Buffer.compare(Buffer.from(one.key), Buffer.from(other.key))

/** This is as in machine.ts: a message that was deleted meanwhile has no time. */
const isAfter = (before: number, time: number | undefined) => (place: Place) =>
  place.ms === null ||
  (time === undefined ? place.id < before : place.ms < time || (place.ms === time && place.id < before))

async function timeOf(db: Db, wallet: string, id: number): Promise<number | undefined> {
  const [row] = await db.query<{ ms: number }>(
    `select ms from direct_messages where bucket = $1 and id = $2
     union all select ms from group_messages where bucket = $1 and id = $2
     union all select ms from withheld_posts where bucket = $1 and id = $2 and fromaddr = $3`,
    [bucketOfId(id), id, wallet],
  )
  return row?.ms
}

/**
 * Returns whether a wallet has joined a chat: else the chats of all nodes need not be read. It makes copies of another release
 * again.
 */
async function prepare(db: Db, wallet: string): Promise<boolean> {
  const [row] = await db.query<{ joined: boolean; others: string[] }>(
    `select ${hasJoinedChats} as joined, array(select peer from conversation_copies
       where wbucket = $2 and walletaddr = $1 and shape <> $3 and id is not null) as others`,
    [wallet, walletBucket(wallet), copyShape],
  )
  const { joined, others } = row!
  await applyCopies(
    db,
    others.map((peer) => [wallet, peer]),
  )
  return joined
}

export const clusterInbox: Inbox = {
  conversations: copiesOf('$1', '$2'),
  find,
  countUnread: countUnreadOnCluster,
  countUnreadIn: countUnreadInOnCluster,
}

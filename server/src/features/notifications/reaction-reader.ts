// Notifications about reactions are jobs: one for each message whose author wants them. Few wallets do, so their rules are read
// here. A reaction in a chat costs as much as one in a conversation, however many members the chat has: its author alone is read.

import type { Db } from '../../db/pool.ts'
import { enqueueEach } from '../../jobs/queue.ts'
import type { Subject } from '../../jobs/tasks.ts'
import type { Reader } from '../../cluster/follow.ts'
import { walletBucket } from '../../values/bucket.ts'

/** The maximum number of events that a step reads. */
const pageSize = 1000

/** Milliseconds in which a reaction may be taken back, and others may join it. */
const patience = 5_000

export const reactionReader: Reader = {
  name: 'reaction-pushes',
  purpose: 'pushes about reactions',
  readPage,
}

async function readPage(tx: Db, after: number, upTo: number): Promise<number> {
  const [page] = await tx.query<Page>(pageOfEvents, [after, upTo])
  const { events, last, reactions } = page!
  const all = reactions ?? []
  const due = await wanted(tx, [...all.flatMap(inConversation), ...(await inChats(tx, all))])
  if (due.length > 0) await tx.query(enqueueReactions, [JSON.stringify(due), new Date(tx.now() + patience)])
  return events < pageSize ? upTo : last
}

interface Reaction {
  bucket: number
  id: number
  /** The wallet that gets the event, or the members of a chat. */
  of: string
  fromaddr: string | null
}

interface Page {
  events: number
  last: number
  reactions: Reaction[] | null
}

/** The author of a message, and what was reacted to. */
interface Due {
  wallet: string
  subject: Extract<Subject, { reaction: number }>
}

const pageOfEvents = `
  with page as materialized (
    select bucket, id, walletaddr, event from events where id > $1 and id <= $2 order by id limit ${pageSize}
  )
  select count(*) as events, max(id) as last, json_agg(distinct jsonb_build_object('bucket', bucket,
    'id', (event->>'id')::bigint, 'of', walletaddr, 'fromaddr', event->>'fromaddr')
  ) filter (where event->>'type' = 'reacted') as reactions from page`

/** The job finds out whether the message is one of this wallet. */
const inConversation = ({ id, of, fromaddr }: Reaction): Due[] =>
  fromaddr === null ? [] : [{ wallet: of, subject: { reaction: id, to: { peer: fromaddr } } }]

/** Returns the authors of posts. What only its author sees has an event for that wallet alone. */
async function inChats(tx: Db, reactions: Reaction[]): Promise<Due[]> {
  const posts = reactions.flatMap(({ bucket, id, of }) => {
    const [word, chat, only] = of.split(' ')
    return word === 'chat' && chat !== undefined && only === undefined ? [{ bucket, id, chat }] : []
  })
  const due: Due[] = []
  for (const bucket of new Set(posts.map((post) => post.bucket))) {
    const those = posts.filter((post) => post.bucket === bucket)
    const values = [bucket, those.map(({ chat }) => chat), those.map(({ id }) => id)]
    const authors = await tx.query<{ id: number; chat: string; fromaddr: string }>(authorsOf, values)
    for (const { id, chat, fromaddr } of authors)
      due.push({ wallet: fromaddr, subject: { reaction: id, to: { chat } } })
  }
  return due
}

const authorsOf = `
  select m.id, m.chat, m.fromaddr from unnest($2::text[], $3::bigint[]) as g (chat, id)
  join group_messages m on m.bucket = $1 and m.chat = g.chat and m.id = g.id and m.removed_by is null`

/** Leaves out who does not want to be notified of reactions. */
async function wanted(tx: Db, all: Due[]): Promise<Due[]> {
  const wallets = [...new Set(all.map(({ wallet }) => wallet))]
  if (wallets.length === 0) return []
  const rows = await tx.query<{ walletaddr: string }>(
    `select walletaddr from notification_rules where wbucket = any($1::integer[]) and walletaddr = any($2::text[])
       and rules #>> '{push,reactions}' = 'true'`,
    [[...new Set(wallets.map(walletBucket))], wallets],
  )
  const those = new Set(rows.map(({ walletaddr }) => walletaddr))
  return all.filter(({ wallet }) => those.has(wallet))
}

// They hold up no other job.
const enqueueReactions = enqueueEach(
  'notify',
  `json_build_object('walletaddr', wallet, 'subject', subject)`,
  `'notify ' || wallet || ' reaction ' || (subject->>'reaction')`,
  'select wallet, subject from json_to_recordset($1::json) as d (wallet text, subject json)',
  { runAt: '$2', priority: 10 },
)

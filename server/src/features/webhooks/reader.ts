// Deliveries of what the log has: a row for each webhook that is told of an entry, in the transaction that moves the reader on, and
// a job for each webhook that has new ones. A send or a post pays nothing. All tables of the log are read by one reader, so
// what a webhook is told is in the order of the log, whatever it is.

import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { enqueueEach } from '../../jobs/queue.ts'
import type { Reader } from '../../live/follow.ts'
import { numberOfId } from '../../values/bucket.ts'
import { trim, trimEvery } from './deliveries.ts'
import { findWanted, readEvents, readMessages, readPosts, type Told } from './pages.ts'

export const webhookReader = ({ config }: Pick<Context, 'config'>): Reader => ({
  name: 'webhooks',
  purpose: 'webhooks',
  readPage: (tx, after, upTo) => readPage(tx, after, upTo, config.dmDefault),
})

async function readPage(tx: Db, after: number, upTo: number, dmDefault: string): Promise<number> {
  const wanted = await findWanted(tx)
  const pages = [
    ...(wanted.messages ? [await readMessages(tx, after, upTo, dmDefault)] : []),
    ...(wanted.posts ? [await readPosts(tx, after, upTo)] : []),
    ...(wanted.events ? [await readEvents(tx, after, upTo)] : []),
  ]
  const to = Math.min(upTo, ...pages.map((page) => page.upTo ?? upTo))
  const told = pages.flatMap((page) => page.told).filter(({ id }) => id <= to)
  if (told.length > 0) await store(tx, told)
  return to
}

async function store(tx: Db, told: Told[]): Promise<void> {
  for (const [wbucket, ofBucket] of Map.groupBy(told, (one) => one.wbucket))
    await tx.query(insert, [wbucket, JSON.stringify(ofBucket)])
  await tx.query(enqueueHooks, [JSON.stringify(told)])
  const due = told.filter(({ id }) => numberOfId(id) % trimEvery === 0)
  for (const hook of new Set(due.map((one) => one.hook)))
    await trim(tx, due.find((one) => one.hook === hook)!.walletaddr, hook)
}

const insert = `
  insert into webhook_deliveries (wbucket, walletaddr, hook, id, event, peer, chat, about, ms)
  select l.bucket, d.walletaddr, d.hook, d.id, d.event, d.peer, d.chat, d.about, d.ms
  from buckets l cross join json_to_recordset($2::json) as d
    (walletaddr text, hook text, id bigint, event text, peer text, chat text, about bigint, ms bigint)
  where l.bucket = $1
  on conflict do nothing`

const enqueueHooks = enqueueEach(
  'deliver-webhook',
  `json_build_object('walletaddr', walletaddr, 'hook', hook)`,
  `'deliver-webhook ' || hook`,
  'select distinct walletaddr, hook from json_to_recordset($1::json) as d (walletaddr text, hook text)',
)

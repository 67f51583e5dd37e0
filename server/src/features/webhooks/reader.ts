// This reader notes what the log has for webhooks: from where to where in it, in the transaction that moves the reader on, and a
// job for each webhook that has more. A send or a post pays nothing, and however many webhooks want a post, it is stored once:
// where it is (waiting.ts). One reader reads all tables of the log, so the deliveries of a webhook are in the order of the log,
// whatever it is.

import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import type { Reader } from '../../cluster/follow.ts'
import { enqueueDeliveries } from './deliver.ts'
import { keepPassing } from './entries.ts'
import { findWanted, readEvents, readMessages, readPosts } from './pages.ts'
import { extendWaiting } from './waiting.ts'

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
  // The next step finds again what lies after that.
  const waiting = pages
    .flatMap((page) => page.waiting)
    .filter(({ from_id: from }) => from <= to)
    .map((one) => Object.assign(one, { to_id: Math.min(one.to_id, to) }))
  if (waiting.length === 0) return to
  await keepPassing(
    tx,
    pages.flatMap((page) => page.passing).filter(({ id }) => id <= to),
  )
  await extendWaiting(tx, waiting)
  await enqueueDeliveries(tx, waiting)
  return to
}

// The owner or a moderator of a chat announces one of their posts; this stores it. announcement.ts says who is notified of it.

import type { Announcing } from '@parley/sdk/contract/announcements.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { LRUCache } from 'lru-cache'
import type { Publishing } from '../../auth/publishing.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { enqueue } from '../../jobs/queue.ts'
import { day, minute } from '../../lib/times.ts'
import { eventJson } from '../../messages/events.ts'
import { noSuchMessage } from '../../messages/message-place.ts'
import { shownCount } from '../../messages/shown-count.ts'
import { bucketOfId, chatBucket } from '../../values/bucket.ts'
import { announcePriority } from './announcement.ts'

/** Milliseconds in which an open page shows the post, and it is read. */
const patience = 5_000

/** The most members that are counted, once a minute for a chat on each instance: it is a row of an index for each. */
const mostCounted = 100_000
const agreedIn = new WeakMap<Db, LRUCache<string, number>>()

interface Place {
  chat: string
  community: string
}

/** Announces a post of a wallet, once. One of two at the same time is refused. */
export async function announcePost(
  db: Db,
  { chat, community }: Place,
  { id, wallet }: { id: number; wallet: string },
  { isUnseen }: Pick<Publishing, 'isUnseen'>,
): Promise<void> {
  const event = eventJson({ type: 'edited', id, fromaddr: wallet })
  const { refused, next_ms } = await db.transaction(async (tx) => {
    const [row] = await tx.query<{ refused: string | null; next_ms: number | null; started: boolean }>(
      'select refused, next_ms, started from announce_post_v1($1, $2, $3, $4, $5, $6, $7, $8)',
      [tx.now(), bucketOfId(id), community, chat, id, wallet, isUnseen, event],
    )
    if (row!.started)
      await enqueue(
        tx,
        'announce',
        { announcement: id, of: chat },
        { key: `announce ${id}`, runAt: new Date(tx.now() + patience), priority: announcePriority.portion },
      )
    return row!
  })
  if (refused === 'none') throw noSuchMessage()
  if (refused === 'old')
    throw new ApiError('conflict', 'This post is older than a day: post again, and announce that.')
  if (refused === 'today')
    throw new ApiError(
      'conflict',
      `There is one announcement in 24 hours: the next one is possible at ${new Date(next_ms!).toISOString()}.`,
    )
}

interface Row extends Record<(typeof counts)[number], number> {
  item_id: number
  fromaddr: string
  ms: number
  ended: boolean
  stopped: boolean
}
const counts = ['agreed', 'reached', 'no_channel', 'gone', 'muted', 'had_read'] as const

/** Returns what the owner and the moderators of a chat know about its announcements. */
export async function getAnnouncing(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { chat, community }: Place,
  wallet: string,
): Promise<Omit<Announcing, 'forbidden'>> {
  const bucket = chatBucket(chat)
  const [agreed, [row], [own]] = await Promise.all([
    rememberedAgreed(db, chat),
    db.query<Row>(
      `select item_id, fromaddr, ms, ended_ms is not null as ended, stopped, ${counts.join(', ')}
       from announcements where bucket = $1 and community = $2`,
      [bucket, community],
    ),
    // A wallet that is muted unseen must not notice that nobody sees its announcement.
    db.query<{ ms: number | null }>(
      'select max(ms) as ms from withheld_posts where bucket = $1 and chat = $2 and fromaddr = $3 and marks & 128 <> 0',
      [bucket, chat, wallet],
    ),
  ])
  const next = Math.max(row?.ms ?? 0, own?.ms ?? 0) + day
  const shown = (of: string, count: number) => shownCount(config.jwtSecret, `${of} ${chat}`, count)
  return {
    agreed: shown('agreed', agreed),
    ...(next > db.now() && { next_at: new Date(next).toISOString() }),
    ...(row && { last: deliveryOf(row, db.now(), (of, count) => shown(`${of} ${row.item_id}`, count)) }),
  }
}

function deliveryOf(row: Row, now: number, shown: (of: string, count: number) => number) {
  const {
    item_id: id,
    fromaddr,
    ms,
    ended,
    stopped,
    agreed,
    reached,
    no_channel,
    gone,
    muted,
    had_read,
  } = row
  const isDone =
    ended && (stopped || reached + no_channel + gone + muted + had_read >= agreed || now > ms + day)
  return {
    id,
    announced_by: fromaddr,
    announced_at: new Date(ms).toISOString(),
    done: isDone,
    ...(stopped && { stopped: true as const }),
    agreed: shown('all', agreed),
    reached: shown('reached', reached),
    no_channel: shown('no channel', no_channel),
    gone: shown('gone', gone),
    muted: shown('muted', muted),
    read: shown('read', had_read),
  }
}

function rememberedAgreed(db: Db, chat: string): Promise<number> {
  const known =
    agreedIn.get(db) ??
    new LRUCache<string, number>({
      maxSize: 10_000,
      sizeCalculation: () => 1,
      ttl: minute,
      // A test may replace the clock.
      perf: { now: () => performance.now() },
      fetchMethod: (one) => countAgreed(db, one),
      // Callers get their result also when it was removed from the cache meanwhile.
      ignoreFetchAbort: true,
    })
  agreedIn.set(db, known)
  return known.forceFetch(chat)
}

async function countAgreed(db: Db, chat: string): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    `select count(*) as n from (
       select 1 from group_visits where bucket = $1 and chat = $2 and joined and announcements limit ${mostCounted}) v`,
    [chatBucket(chat), chat],
  )
  return row!.n
}

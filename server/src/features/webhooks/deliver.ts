// This module sends what waits for a webhook, one delivery after the other: a failing delivery holds the later ones of its
// webhook, so their order is preserved. A job makes one call, of 15 s at most, or several that are quick, and adds the next job:
// so wallets take turns. Only one job of a wallet runs at a time, on all instances (jobs/queue.ts). A wallet whose server has
// answered late has other workers than the rest.

import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { enqueue, enqueueEach } from '../../jobs/queue.ts'
import type { Tasks } from '../../jobs/tasks.ts'
import { atMost } from '../../lib/concurrency-limit.ts'
import { day, hour, minute, second } from '../../lib/times.ts'
import { OutsideError } from '../../outside/allowed.ts'
import { callOutside } from '../../outside/call.ts'
import { webhookDeliveries } from '../../telemetry/metrics.ts'
import { answerIn, enqueueAnswer } from './answer.ts'
import { contentOf, type Data } from './content.ts'
import * as deliveries from './deliveries.ts'
import { deleteOldPassing } from './entries.ts'
import { type Line, type Next, openLine } from './line.ts'
import { createPlaces, slowAfter } from './places.ts'
import { signed } from './sign.ts'
import * as store from './store.ts'
import { deleteOldWaiting, trimWaiting } from './waiting.ts'

/** The waits after each attempt, in milliseconds, as Standard Webhooks has them. After the last one a delivery is given up. */
const waits = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, day]
/** A webhook that accepts nothing for this long is turned off. */
const longest = 5 * day
/** The maximum number of deliveries of a job, and the milliseconds in which it begins another, before others have a turn. */
const [atOnce, turn] = [50, second]

/** A wallet has the workers for slow servers for this long after the last late answer. */
const slowFor = 10 * minute
/**
 * Of more calls at once, slow ones give up their places: half of the workers of the lane (jobs/runner.ts) are free for others.
 */
const places = createPlaces(24)
/** The number of jobs that use the database at once: there are more workers, because calls take long. */
const inTurn = atMost(8)

/** Enqueues the next delivery. With a time, a waiting retry moves to it. */
export const enqueueDelivery = (
  tx: Db,
  walletaddr: string,
  hook: string,
  { runAt, isSlow = false }: { runAt?: Date | undefined; isSlow?: boolean } = {},
) =>
  enqueue(
    tx,
    isSlow ? 'deliver-slow-webhook' : 'deliver-webhook',
    { walletaddr, hook },
    { key: `deliver-webhook ${hook}`, ...(runAt && { runAt, isSooner: true }) },
  )

/** Enqueues jobs for what waits, also where a job was given up: where there is a job, this changes nothing. */
export async function resumeDeliveries(db: Db): Promise<void> {
  for (const { walletaddr, hook } of await deliveries.findWaitingHooks(db))
    await enqueueDelivery(db, walletaddr, hook)
}

/** Enqueues a job for each webhook for which more waits. */
export const enqueueDeliveries = (tx: Db, waiting: { walletaddr: string; hook: string }[]) =>
  tx.query(enqueueHooks, [JSON.stringify(waiting)])

const enqueueHooks = enqueueEach(
  'deliver-webhook',
  `json_build_object('walletaddr', walletaddr, 'hook', hook)`,
  `'deliver-webhook ' || hook`,
  'select distinct walletaddr, hook from json_to_recordset($1::json) as d (walletaddr text, hook text)',
)

const month = 30 * day

/** Deletes what is a month old, sent or not. */
export async function deleteOldOfWebhooks(db: Db): Promise<void> {
  const before = db.now() - month
  await deliveries.deleteOldDeliveries(db, before)
  await deleteOldWaiting(db, before)
  await deleteOldPassing(db, before)
}

export const webhookTasks: Pick<Tasks<Context>, 'deliver-webhook' | 'deliver-slow-webhook'> = {
  async 'deliver-webhook'(ctx, { walletaddr, hook }, { signal }) {
    if (await store.isSlow(ctx.db, walletaddr))
      await enqueueDelivery(ctx.db, walletaddr, hook, { isSlow: true })
    else await deliverSome(ctx, walletaddr, hook, { signal, call: places.hold })
  },
  'deliver-slow-webhook': (ctx, { walletaddr, hook }, { signal }) =>
    deliverSome(ctx, walletaddr, hook, { signal, call: (make) => make() }),
}

/** The turn of a job: until when it lasts, and how it makes a call, which returns undefined where it was ended for others. */
interface Turn {
  signal: AbortSignal
  call: <T>(make: (until?: AbortSignal) => Promise<T>) => Promise<T | undefined>
}

async function deliverSome(ctx: Context, wallet: string, id: string, of: Turn): Promise<void> {
  const { db } = ctx
  const began = performance.now()
  const line = openLine(ctx, wallet, id)
  let result: Result | undefined = 'sent'
  for (let n = 0; n < atOnce && performance.now() - began < turn && !of.signal.aborted; n++) {
    const hook = await inTurn(() => store.findHook(db, wallet, id))
    const next = hook && (await inTurn(() => line.next(hook.is_on)))
    result = next && (await deliverOne(ctx, wallet, hook, next, { ...of, line }))
    if (result === undefined || result === 'late' || result === 'off' || typeof result === 'number') break
  }
  const hasMore = await inTurn(() => line.end())
  await inTurn(() => deliveries.trim(db, wallet, id))
  await inTurn(() => trimWaiting(db, wallet, id))
  // Deliveries after that have a job of their own.
  if (result === undefined || result === 'off' || !hasMore) return
  await enqueueDelivery(db, wallet, id, {
    runAt: typeof result === 'number' ? new Date(db.now() + result) : undefined,
    isSlow: await store.isSlow(db, wallet),
  })
}

/** The result of a delivery, or the milliseconds until the retry; `late` is no attempt. */
type Result = number | 'sent' | 'gone' | 'late' | 'off'

/** Sends one, or forgets it. */
async function deliverOne(
  ctx: Context,
  wallet: string,
  hook: store.Hook,
  { delivery, isNew }: Next,
  of: Turn & { line: Line },
): Promise<Result> {
  const isOld = ctx.db.now() - delivery.ms > month
  const content = isOld ? 'gone' : await contentOf(ctx, wallet, delivery)
  if (content === 'unknown') return minute
  if (content !== 'gone') return send(ctx, wallet, hook, delivery, content, of)
  of.line.skip()
  if (!isNew) await deliveries.forget(ctx.db, wallet, hook.id, delivery.id)
  return 'gone'
}

async function send(
  { db, config }: Context,
  wallet: string,
  hook: store.Hook,
  delivery: deliveries.Delivery,
  content: Data,
  { line, call }: Turn & { line: Line },
): Promise<Result> {
  const began = performance.now()
  const answered = await call((until) => post(config, db.now(), hook, delivery, content, until))
  const isSlow = performance.now() - began > slowAfter
  if (isSlow || hook.slow_until_ms > 0) await notePace(db, wallet, hook, isSlow)
  if (!answered) return 'late'
  const { status, answer } = answered
  const isTaken = status >= 200 && status < 300
  const wait = waits[delivery.attempt]
  const isTest = delivery.event === 'test'
  const note = async (tx: Db) => {
    const done = { status, isDone: isTaken || wait === undefined || isTest, answer }
    if (await deliveries.noteTry(tx, wallet, hook.id, delivery, done))
      await enqueueAnswer(tx, wallet, hook.id, delivery.id)
    await line.pass(tx)
  }
  await inTurn(() => db.transaction(note))
  webhookDeliveries.inc({ outcome: isTaken ? 'taken' : status === 0 ? 'no-answer' : 'refused' })
  if (isTest) return 'sent'
  const since = isTaken ? null : (hook.failing_ms ?? db.now())
  await store.noteFailing(db, wallet, hook.id, since)
  // 410 says that nobody wants it any more.
  if (status === 410 || (since !== null && db.now() - since > longest)) {
    await store.turnOff(db, wallet, hook.id)
    await enqueue(db, 'send-webhook-mail', { walletaddr: wallet, url: hook.url })
    return 'off'
  }
  return isTaken ? 'sent' : (wait ?? 'sent')
}

/** A wallet becomes slow with all of its webhooks, so that they go on taking turns; it is quick again after a quick answer. */
async function notePace(db: Db, wallet: string, hook: store.Hook, isSlow: boolean): Promise<void> {
  await store.noteSlow(db, wallet, hook.id, isSlow ? db.now() + slowFor : 0)
  if (!isSlow || hook.slow_until_ms > db.now()) return
  for (const { id } of await store.findHooks(db, wallet))
    if (id !== hook.id) await enqueueDelivery(db, wallet, id, { isSlow })
}

/** Posts a delivery; returns the status, 0 for none, and the text with which the receiver answers a command. */
async function post(
  config: Context['config'],
  now: number,
  hook: store.Hook,
  { id, event, ms }: deliveries.Delivery,
  data: Data,
  until: AbortSignal | undefined,
): Promise<{ status: number; answer?: string | undefined }> {
  const body = JSON.stringify({ type: event, timestamp: new Date(ms).toISOString(), data })
  // The id is the same at every attempt, so that a receiver knows what it has.
  const name = `msg_${hook.id}_${id}`
  const began = performance.now()
  try {
    const answered = await callOutside({ ownHosts: config.privateWebhookHosts }, hook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed(store.keysOf(hook, now), name, now, body) },
      body,
      maxBytes: 64 * 1024,
      seconds: 15,
      byStatus: true,
      ...(until && { until }),
    })
    const { status } = answered
    return event === 'command'
      ? { status, answer: answerIn(answered, performance.now() - began) }
      : { status }
  } catch (error) {
    if (error instanceof OutsideError) return { status: 0 }
    throw error
  }
}

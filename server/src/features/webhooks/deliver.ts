// Tells an address what waits for it, one after the other: a failing delivery holds the later ones of its webhook, so their
// order is kept. A job makes one call, of 15 s at most, or several that are quick, and adds the next job: so wallets take turns. Of
// the jobs of one wallet one runs at a time, on all instances (jobs/queue.ts).

import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Tasks } from '../../jobs/tasks.ts'
import { OutsideError } from '../../outside/allowed.ts'
import { callOutside } from '../../outside/call.ts'
import { webhookDeliveries } from '../../telemetry/metrics.ts'
import { answerIn, enqueueAnswer } from './answer.ts'
import { contentOf, type Data } from './content.ts'
import * as deliveries from './deliveries.ts'
import { signed } from './sign.ts'
import * as store from './store.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
/** How long to wait after each try, in milliseconds, as Standard Webhooks has it. After the last one a delivery is given up. */
const waits = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
/** A webhook that takes nothing for so long is turned off. */
const longest = 5 * 24 * hour
/** How many deliveries a job tells at most, and for how many milliseconds it begins another, before others have a turn. */
const [atOnce, turn] = [50, second]

/** With a time, that of a try that waits is changed to it. */
export const enqueueDelivery = (tx: Db, walletaddr: string, hook: string, runAt?: Date) =>
  enqueue(
    tx,
    'deliver-webhook',
    { walletaddr, hook },
    { key: `deliver-webhook ${hook}`, ...(runAt && { runAt, isSooner: true }) },
  )

/** Where a job was given up, what waits is told all the same: where there is a job, this changes nothing. */
export async function resumeDeliveries(db: Db): Promise<void> {
  for (const { walletaddr, hook } of await deliveries.findWaitingHooks(db))
    await enqueueDelivery(db, walletaddr, hook)
}

export const webhookTasks: Pick<Tasks<Context>, 'deliver-webhook'> = {
  async 'deliver-webhook'(ctx, { walletaddr, hook: id }, { signal }) {
    const { db } = ctx
    const began = performance.now()
    for (let n = 0; n < atOnce && performance.now() - began < turn && !signal.aborted; n++) {
      const [hook, next] = [
        await store.findHook(db, walletaddr, id),
        await deliveries.findNext(db, walletaddr, id),
      ]
      if (!hook || !next || (!hook.is_on && next.event !== 'test')) return
      if (next.id % deliveries.trimEvery === 0) await deliveries.trim(db, walletaddr, id)
      const wait = await tellOne(ctx, walletaddr, hook, next)
      if (wait === 'off') return
      if (typeof wait === 'number') {
        await enqueueDelivery(db, walletaddr, id, new Date(db.now() + wait))
        return
      }
    }
    // What comes after this look has a job of its own.
    if (await deliveries.findNext(db, walletaddr, id)) await enqueueDelivery(db, walletaddr, id)
  },
}

/** Tells one, or forgets it. Returns what became of it, or after how many milliseconds to try again. */
async function tellOne(
  ctx: Context,
  wallet: string,
  hook: store.Hook,
  delivery: deliveries.Delivery,
): Promise<number | 'told' | 'gone' | 'off'> {
  const content = await contentOf(ctx, wallet, delivery)
  if (content === 'unknown') return minute
  if (content !== 'gone') return tell(ctx, wallet, hook, delivery, content)
  await deliveries.forget(ctx.db, wallet, hook.id, delivery.id)
  return 'gone'
}

async function tell(
  { db, config }: Context,
  wallet: string,
  hook: store.Hook,
  delivery: deliveries.Delivery,
  content: Data,
): Promise<number | 'told' | 'off'> {
  const { status, answer } = await post(config, db.now(), hook, delivery, content)
  const isTaken = status >= 200 && status < 300
  const wait = waits[delivery.attempt]
  const isTest = delivery.event === 'test'
  await db.transaction(async (tx) => {
    const done = { status, isDone: isTaken || wait === undefined || isTest, answer }
    if (await deliveries.noteTry(tx, wallet, hook.id, delivery.id, done))
      await enqueueAnswer(tx, wallet, hook.id, delivery.id)
  })
  webhookDeliveries.inc({ outcome: isTaken ? 'taken' : status === 0 ? 'no-answer' : 'refused' })
  if (isTest) return 'told'
  const since = isTaken ? null : (hook.failing_ms ?? db.now())
  await store.noteFailing(db, wallet, hook.id, since)
  // 410 says that nobody wants it any more.
  if (status === 410 || (since !== null && db.now() - since > longest)) {
    await store.turnOff(db, wallet, hook.id)
    await enqueue(db, 'send-webhook-mail', { walletaddr: wallet, url: hook.url })
    return 'off'
  }
  return isTaken ? 'told' : (wait ?? 'told')
}

/** Posts a delivery; answers the status, 0 for none, and the text that a command was answered with. */
async function post(
  config: Context['config'],
  now: number,
  hook: store.Hook,
  { id, event, ms }: deliveries.Delivery,
  data: Data,
): Promise<{ status: number; answer?: string | undefined }> {
  const body = JSON.stringify({ type: event, timestamp: new Date(ms).toISOString(), data })
  // The same at every try, so that a receiver knows what it has.
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

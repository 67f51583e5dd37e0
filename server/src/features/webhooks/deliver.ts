// Tells an address what waits for it, one after the other: a failing delivery holds the later ones of its webhook, so their
// order is kept. Its jobs have a queue of their own (jobs/queue.ts), so no two run at once, on any instance.

import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Tasks } from '../../jobs/tasks.ts'
import { OutsideError } from '../../outside/allowed.ts'
import { callOutside } from '../../outside/call.ts'
import { webhookDeliveries } from '../../telemetry/metrics.ts'
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
/** How many deliveries a job tells before others have a turn. */
const atOnce = 50

export const enqueueDelivery = (tx: Db, walletaddr: string, hook: string, runAt?: Date) =>
  enqueue(
    tx,
    'deliver-webhook',
    { walletaddr, hook },
    {
      key: `deliver-webhook ${hook}`,
      queue: `webhook ${hook}`,
      ...(runAt && { runAt }),
    },
  )

export const webhookTasks: Pick<Tasks<Context>, 'deliver-webhook'> = {
  async 'deliver-webhook'({ db, config }, { walletaddr, hook: id }, { signal }) {
    for (let n = 0; n < atOnce && !signal.aborted; n++) {
      const [hook, next] = [
        await store.findHook(db, walletaddr, id),
        await store.findNext(db, walletaddr, id),
      ]
      if (!hook || !next || (!hook.is_on && next.event !== 'test')) return
      const wait = await tell(db, config, walletaddr, hook, next)
      if (wait !== undefined) {
        if (wait !== 'off') await enqueueDelivery(db, walletaddr, id, new Date(db.now() + wait))
        return
      }
    }
    await store.trim(db, walletaddr, id)
    await enqueueDelivery(db, walletaddr, id)
  },
}

/** Tells one. Answers after how many milliseconds to go on: undefined is at once. */
async function tell(
  db: Db,
  config: Context['config'],
  wallet: string,
  hook: store.Hook,
  delivery: store.Delivery,
): Promise<number | 'off' | undefined> {
  const status = await post(db, config, wallet, hook, delivery)
  const isTaken = status >= 200 && status < 300
  const wait = waits[delivery.attempt]
  const isTest = delivery.event === 'test'
  await store.noteTry(db, wallet, hook.id, delivery.id, status, isTaken || wait === undefined || isTest)
  webhookDeliveries.inc({ outcome: isTaken ? 'taken' : status === 0 ? 'no-answer' : 'refused' })
  if (isTest) return undefined
  const since = isTaken ? null : (hook.failing_ms ?? db.now())
  await store.noteFailing(db, wallet, hook.id, since)
  // 410 says that nobody wants it any more.
  if (status === 410 || (since !== null && db.now() - since > longest)) {
    await store.turnOff(db, wallet, hook.id)
    await enqueue(db, 'send-webhook-mail', { walletaddr: wallet, url: hook.url })
    return 'off'
  }
  return isTaken ? undefined : wait
}

/** Posts a delivery; answers the status, 0 for none. */
async function post(
  db: Db,
  config: Context['config'],
  wallet: string,
  hook: store.Hook,
  { id, event, peer, ms }: store.Delivery,
): Promise<number> {
  const timestamp = new Date(ms).toISOString()
  const data = event === 'test' ? { walletaddr: wallet } : { id, fromaddr: peer, toaddr: wallet }
  const body = JSON.stringify({ type: event, timestamp, data })
  // The same at every try, so that a receiver knows what it has.
  const name = `msg_${hook.id}_${id}`
  try {
    const { status } = await callOutside(config, hook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...signed(hook, name, db.now(), body) },
      body,
      maxBytes: 64 * 1024,
      seconds: 15,
    })
    return status
  } catch (error) {
    if (error instanceof OutsideError) return 0
    throw error
  }
}

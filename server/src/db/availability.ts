// Watches whether the database is within reach. A connection that was closed reports it by itself, but one whose other end
// vanished stays silent, and a statement on it would wait until the timeout of TCP. So a separate connection reads the time every
// 200 ms. When it gets no response within 1.2 s, or the server is a standby where a primary is needed, the database counts as
// away. Then all connections to it are ended, so that nothing waits for a response that will not come.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { delay } from '../lib/abort.ts'
import { newClient } from './client.ts'
import { type Clock, readClock } from './clock.ts'
import { beingMoved, databaseError } from './failures.ts'
import { type LayoutName, readLayout } from './layout.ts'

const pause = 200
const maxWait = 1_200
/** The wait has steps: a pause of the process delays the response by one step only. */
const step = 100

interface Watched {
  url: string
  /** These connections are ended. */
  clients: Set<pg.PoolClient>
  /** This is true when a standby is enough. */
  isStandby: boolean
  /** The clock learns from each response of a primary. */
  clock: Clock
  /** This is called with the reason why the database is out of reach, and with null when it is back. */
  onReach: (error: Error | null) => void
  /** The database must have this layout (layout.ts). A database with another one, or one that is being moved, counts as away. */
  layout: LayoutName
  /** This is called when the database has got the other layout. */
  onMoved?: (() => void) | undefined
}

/** Watches until disposed of. At first the database counts as within reach. */
export function watch({
  url,
  clients,
  isStandby,
  clock,
  onReach,
  layout,
  onMoved,
}: Watched): AsyncDisposable {
  const stop = new AbortController()
  let away = false
  let client: pg.Client | undefined

  /** A connection that broke while idle says nothing about the database: the next round connects again and finds out. */
  const forget = (ended: pg.Client) => {
    if (client === ended) client = undefined
  }
  async function round(): Promise<void> {
    try {
      client ??= await open(url, forget)
      await inTime<unknown>(isStandby ? client.query('select') : readClock(client, clock))
      if ((await inTime(readLayout(client))) !== layout) {
        onMoved?.()
        throw databaseError(beingMoved, 'it was moved onto a cluster')
      }
      if (away) onReach(null)
      away = false
    } catch (error) {
      discard(client)
      client = undefined
      if (!away && !stop.signal.aborted) {
        onReach(error as Error)
        for (const one of clients) discard(one)
      }
      away = true
    }
  }
  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await round()
      await delay(pause, stop.signal)
    }
    discard(client)
  }
  const ended = run()
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      discard(client)
      await ended
    },
  }
}

async function open(url: string, onEnd: (client: pg.Client) => void): Promise<pg.Client> {
  const client = newClient({ url, name: 'parley watch' })
  client.on('end', () => onEnd(client))
  try {
    await inTime(client.connect())
    return client
  } catch (error) {
    discard(client)
    throw error
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const done = new AbortController()
  work.catch(() => {})
  const tooLate = failLater(done.signal)
  tooLate.catch(() => {})
  try {
    return await Promise.race([work, tooLate])
  } finally {
    done.abort()
  }
}

/** Fails when this process has run for `maxWait`. While it or the machine was paused, nothing is known. */
async function failLater(signal: AbortSignal): Promise<never> {
  for (let waited = 0; waited < maxWait;) {
    const started = performance.now()
    await sleep(step, undefined, { signal, ref: false })
    if (performance.now() - started < step + 250) waited += step
  }
  // The response may have arrived without being read yet.
  await new Promise((resolve) => void setImmediate(() => setImmediate(resolve)))
  throw databaseError('08006', 'it does not answer')
}

/** Closes a connection at once, without a message to the other end, which may be gone. */
function discard(client: pg.ClientBase | undefined): void {
  // pg has no method for this; its own pool does the same.
  const { connection } = (client ?? {}) as { connection?: { stream: { destroy: () => void } } }
  connection?.stream.destroy()
}

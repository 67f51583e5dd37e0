// Measures how far the standby of READ_DATABASE_URL is behind, for /metrics. A reader of the log knows it only while there is
// something to read, so once a second this queries the end of the log on the primary, and the position of the standby.

import { delay } from '../lib/abort.ts'
import { standbyBehind, standbyUsable } from '../telemetry/metrics.ts'
import type { Pool } from './pool.ts'
import { endOfLog, type Replayed } from './replayed.ts'

const pause = 1_000
/** The ends of the log of this many seconds are remembered. A standby may be behind for longer: then the oldest one counts. */
const most = 3_600

/** Measures until it is disposed of. */
export function measureDistance(pool: Pool, primary: Pool, replayed: Replayed): AsyncDisposable {
  const stop = new AbortController()
  const labels = { standby: 'read' }
  let ends: { position: bigint; at: number }[] = []

  async function round(): Promise<void> {
    const at = performance.now()
    const position = await endOfLog(primary)
    if (position !== ends.at(-1)?.position && ends.length < most) ends.push({ position, at })
    const reached = await pool.transaction(replayed)
    ends = ends.filter((end) => end.position > reached)
    standbyUsable.set(labels, 1)
  }
  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      await round().catch(() => standbyUsable.set(labels, 0))
      const [oldest] = ends
      standbyBehind.set(labels, oldest ? (performance.now() - oldest.at) / 1000 : 0)
      await delay(pause, stop.signal)
    }
  }
  const ended = run()
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await ended
      for (const metric of [standbyUsable, standbyBehind]) metric.remove(labels)
    },
  }
}

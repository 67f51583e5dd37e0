import { setTimeout as sleep } from 'node:timers/promises'
import { layouts } from '../../server/src/cluster/layout.ts'
import { connect } from '../../server/src/db/pool.ts'
import type { Drill } from '../drill.ts'

/** A lock holds every connection of the pool busy: requests are refused in time, and nothing is lost. */
export const poolExhaustion: Drill = {
  name: 'pool-exhaustion',
  summary:
    'a lock keeps all database connections of the service busy; requests get a 503 within 5 s, then work again',
  seconds: 60,
  async perform(run) {
    const { url } = await run.startDatabase()
    const service = await run.startService({ DATABASE_URL: url, DATABASE_POOL_SIZE: '4' })
    const db = run.use(connect(url, { layout: layouts.machine, size: 1 }))
    await run.startLoad()
    let refused = 0
    while (run.hasTime()) {
      await run.pause(500, 1500)
      await db.transaction(async (tx) => {
        await tx.query('lock table conversations, group_chats in access exclusive mode')
        // After this time every connection waits for a writer's statement.
        await sleep(1000)
        const answers = await Promise.all(Array.from({ length: 10 }, () => ask(service.url)))
        refused += answers.filter(({ status }) => status === 503).length
        for (const { status, took, retryAfter } of answers) {
          // It waits two seconds at most for a connection, and two for the lock.
          if (took > 5000 * run.patience)
            run.report({
              kind: 'slow',
              detail: `a request was answered after ${(took / 1000).toFixed(1)} s`,
            })
          if (status !== 503 && status !== 200)
            run.report({ kind: 'refused', detail: `a full pool was answered with ${status}` })
          if (status === 503 && retryAfter === null)
            run.report({ kind: 'broken', detail: 'a 503 came without Retry-After' })
        }
      })
      await run.waitForRecovery(performance.now(), 5)
    }
    if (refused === 0) run.report({ kind: 'broken', detail: 'the pool was never exhausted' })
    run.note(`${refused} reads got a 503 in time`)
    await run.finish()
  },
}

/** Sends a request that needs the database and no wallet. */
async function ask(url: string) {
  const began = performance.now()
  const response = await fetch(`${url}/v1/get_groupchatitems_unreadcnt/drill/drill`, {
    signal: AbortSignal.timeout(20_000),
  })
  await response.body?.cancel()
  const { status, headers } = response
  return { status, took: performance.now() - began, retryAfter: headers.get('retry-after') }
}

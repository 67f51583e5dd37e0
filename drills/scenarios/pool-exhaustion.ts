import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../server/src/db/pool.ts'
import type { Drill } from '../drill.ts'

/** Something holds every connection of the pool: whoever asks meanwhile is told so soon, and nothing is lost. */
export const poolExhaustion: Drill = {
  name: 'pool-exhaustion',
  what: 'a lock holds all database connections of the service; requests get a 503 within 5 s, and then go on',
  seconds: 60,
  async play(stage) {
    const { url } = await stage.startDatabase()
    const service = await stage.startService({ DATABASE_URL: url, DATABASE_POOL_SIZE: '4' })
    const db = stage.use(connect(url, { size: 1 }))
    await stage.startLoad()
    let refused = 0
    while (stage.isTime()) {
      await stage.pause(500, 1500)
      await db.transaction(async (tx) => {
        await tx.query('lock table conversations, group_chats in access exclusive mode')
        // By then the writers are in every connection.
        await sleep(1000)
        const answers = await Promise.all(Array.from({ length: 10 }, () => ask(service.url)))
        refused += answers.filter(({ status }) => status === 503).length
        for (const { status, took, retryAfter } of answers) {
          // It waits two seconds at most for a connection, and two for the lock.
          if (took > 5000 * stage.patience)
            stage.report({
              kind: 'slow',
              detail: `a request was answered after ${(took / 1000).toFixed(1)} s`,
            })
          if (status !== 503 && status !== 200)
            stage.report({ kind: 'refused', detail: `a full pool was answered with ${status}` })
          if (status === 503 && retryAfter === null)
            stage.report({ kind: 'broken', detail: 'a 503 came without Retry-After' })
        }
      })
      await stage.recovered(performance.now(), 5)
    }
    if (refused === 0) stage.report({ kind: 'broken', detail: 'the pool was never exhausted' })
    stage.note(`${refused} readers told 503 in time`)
    await stage.finish()
  },
}

/** A request that needs the database and no wallet. */
async function ask(url: string) {
  const began = performance.now()
  const response = await fetch(`${url}/v1/get_groupchatitems_unreadcnt/drill/drill`, {
    signal: AbortSignal.timeout(20_000),
  })
  await response.body?.cancel()
  const { status, headers } = response
  return { status, took: performance.now() - began, retryAfter: headers.get('retry-after') }
}

import { cutTables } from '../../server/src/db/cut.ts'
import { citusUrl } from '../../testing/service/citus.ts'
import type { Drill } from '../drill.ts'
import { CannotRun } from '../run.ts'

/** The drill does what `npm run parley -- partition` does, with parts of some seconds instead of months. */
export const longHistories: Drill = {
  name: 'long-histories',
  summary:
    'the tables of messages are cut into parts under load, as by `npm run parley -- partition`, again and again',
  seconds: 30,
  async perform(run) {
    if (citusUrl !== undefined) throw new CannotRun('a cluster is not cut')
    const { url } = await run.startDatabase()
    await run.startService({ DATABASE_URL: url })
    const { writers } = await run.startLoad()
    let parts = 0
    while (run.hasTime()) {
      await run.pause(300, 1500)
      // A message takes a few numbers of items, so a part ends after some seconds.
      const done = await cutTables({ databaseUrl: url, margin: run.rate * 5 * run.patience })
      parts += done.filter((line) => line.includes('the next part')).length
    }
    if (parts < 2) run.report({ kind: 'broken', detail: `the tables were cut ${parts} times` })
    const slowest = Math.max(...writers.attempts.map(({ took }) => took)) / 1000
    if (slowest > 2 * run.patience)
      run.report({ kind: 'slow', detail: `an answer took ${slowest.toFixed(2)} s` })
    run.note(`${parts} parts begun, the slowest answer took ${slowest.toFixed(2)} s`)
    await run.finish()
  },
}

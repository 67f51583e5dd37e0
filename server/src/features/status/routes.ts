import { mostStatusRows, type status } from '@parley/sdk/contract/status.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Db } from '../../db/pool.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { type Load, measureLoad } from '../../http/load.ts'
import type { Minute } from '../../telemetry/history.ts'
import { check } from './checks.ts'
import { addUp, countAll } from './minutes.ts'

export const handlers: Handlers<typeof status> = {
  async getStatus(ctx) {
    const { db, history, siblings } = ctx
    const processes = [await history.minutes(), ...((await siblings.ask('minutes')) as Minute[][])]
    const minutes = addUp(processes).slice(-mostStatusRows)
    const { load, answer } = await askDatabase(db)
    return {
      version: packageJson.version,
      at: new Date(db.now()).toISOString(),
      processes: processes.length,
      checks: await check(ctx, { answer, load, minutes }),
      minutes,
      limits: countAll(processes, 'limits').slice(0, mostStatusRows),
      problems: countAll(processes, 'problems').slice(0, mostStatusRows),
      jobs: (load?.jobs ?? [])
        .slice(0, mostStatusRows)
        .map(({ task, due, failed, oldest }) =>
          oldest ? { task, due, failed, oldest: oldest.toISOString() } : { task, due, failed },
        ),
    }
  },
}

/** Reads what waits in the database, and how long it took to answer; neither when it is away. */
async function askDatabase(db: Db): Promise<{ load: Load | undefined; answer: number | undefined }> {
  const begun = performance.now()
  try {
    await db.query('select 1 as answered')
    const answer = performance.now() - begun
    return { load: await measureLoad(db), answer }
  } catch {
    return { load: undefined, answer: undefined }
  }
}

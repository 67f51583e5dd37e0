import type { Context } from '../../context.ts'
import { findDisks, markDisk, severalDisks } from '../../files/disks.ts'
import { repeat } from '../../lib/repeat.ts'
import { minute } from '../../lib/times.ts'

type Watched = Pick<Context, 'config' | 'db' | 'fileStore' | 'log'>

/** Says in the log what is wrong with the store of files: at the start, and later when it changes. */
export function watchStore(ctx: Watched, every = 10 * minute): AsyncDisposable {
  let said: string | undefined
  const look = async () => {
    const problem = await problemOf(ctx).catch((error: Error) => `Files cannot be checked: ${error.message}`)
    if (problem !== undefined && problem !== said) ctx.log.warn(problem)
    said = problem
  }
  const first = look()
  const later = repeat(every, look)
  return {
    async [Symbol.asyncDispose]() {
      await later[Symbol.asyncDispose]()
      await first
    },
  }
}

async function problemOf({ config, db, fileStore }: Watched): Promise<string | undefined> {
  const problem = await fileStore.problem()
  // The embedded database serves one host.
  if (problem !== undefined || config.s3Url !== undefined || config.databaseUrl === undefined) return problem
  await markDisk(db, config.dataDir)
  return severalDisks(await findDisks(db, db.now()))
}

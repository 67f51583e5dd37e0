import { isIP } from 'node:net'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'

type Watched = Pick<Context, 'config' | 'db' | 'log'>

/** Warns at the start where passkeys of another host were made: each belongs to the host at which it was made. */
export function watchHost(ctx: Watched): AsyncDisposable {
  const looking = look(ctx).catch((error: Error) =>
    ctx.log.warn(`The first host of PUBLIC_URL cannot be read: ${error.message}`),
  )
  return { [Symbol.asyncDispose]: () => looking }
}

async function look({ config, db, log }: Watched): Promise<void> {
  const host = new URL(config.publicUrl).hostname
  if (isOfTrial(host)) return
  const first = await firstHost(db, host)
  if (first !== undefined && first !== host)
    log.warn(
      `PUBLIC_URL is at ${host}, and this service began at ${first}: passkeys and encryption keys that were made there open nothing here. docs/settings.md says what people can do.`,
    )
}

/** At these a service is tried before it has its host. They have no passkeys that last. */
const isOfTrial = (host: string) =>
  isIP(host.replace(/^\[|\]$/g, '')) !== 0 || host === 'localhost' || host.endsWith('.localhost')

/** Returns the first host of this service, which becomes this one where there was none. */
async function firstHost(db: Db, host: string): Promise<string | undefined> {
  await db.query('insert into first_host (one, host) values (true, $1) on conflict (one) do nothing', [host])
  const [row] = await db.query<{ host: string }>('select host from first_host')
  return row?.host
}

import { type Logger, pino } from 'pino'
import { type Database, openDatabase } from '../db/open.ts'
import type { Db } from '../db/connect.ts'
import type { Config } from './config.ts'
import { type Limits, openLimits } from './limits.ts'
import { type Mailer, openMailer } from './mailer.ts'
import { keptSecret } from './secret.ts'

/** Everything a handler may use. Built once at start-up, and by each test. */
export interface Context {
  db: Db
  config: Config & { jwtSecret: string }
  log: Logger
  mailer: Mailer
  limits: Limits
}

interface OpenContext extends Context, AsyncDisposable {
  databaseUrl: string
}

/** Builds the context of a running service: log, database, mailer, secret. Disposing closes all of it. */
export async function openContext(config: Config): Promise<OpenContext> {
  const log = pino({ level: config.logLevel })
  await using stack = new AsyncDisposableStack()
  const { db, url }: Database = stack.use(
    await openDatabase(config, {
      info: (message) => log.info(message),
      warn: (message) => log.warn(message),
    }),
  )
  const jwtSecret = config.jwtSecret ?? (await keptSecret(config.dataDir))
  const mailer = stack.use(openMailer(config, log))
  const limits = stack.use(openLimits({ db, config, log }))
  const open = stack.move()
  return {
    db,
    log,
    mailer,
    limits,
    config: { ...config, jwtSecret },
    databaseUrl: url,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClientOptions, createClient } from '@parley/sdk'
import type { FastifyInstance } from 'fastify'
import type { DestinationStream } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { createApp } from '../../server/src/app.ts'
import { readers, tasks } from '../../server/src/background.ts'
import { issueToken } from '../../server/src/auth/tokens.ts'
import { type Config, readConfig } from '../../server/src/config/settings.ts'
import { buildContext, type Context } from '../../server/src/context.ts'
import { closeInTime } from '../../server/src/shutdown.ts'
import { openStandby } from '../../server/src/db/standby.ts'
import { createLog } from '../../server/src/telemetry/log.ts'
import { runDueJobs } from '../../server/src/jobs/runner.ts'
import { newDatabase, openPool } from './database.ts'
import { followAll } from './log.ts'
import { templateDatabase } from './global-setup.ts'
import { freePort } from './ports.ts'

export const testSecret = 'a secret of the tests, long enough to sign tokens with'

interface Options extends Partial<Config> {
  /** Another service of this test, to share its database. */
  beside?: { databaseUrl: string }
  /** The database of a pair, read from its standby. */
  pair?: { primaryUrl: string; standbyUrl: string } | undefined
  /** Milliseconds between two sweeps over the event streams. */
  tickEvery?: number
  /** Milliseconds between two reads of what other instances change and count. */
  refreshEvery?: number
  /** The state of the database's disk. */
  disk?: { isShort: boolean }
  /** The stream that receives the log. */
  logTo?: DestinationStream
}

/** Starts a whole service on a database of its own. `await using` drops it at the end of the test. */
export async function startService({
  beside,
  pair,
  tickEvery,
  refreshEvery,
  disk,
  logTo,
  ...overrides
}: Options = {}) {
  const given = pair ? { databaseUrl: pair.primaryUrl } : beside
  const own = given ? undefined : await newDatabase(templateDatabase)
  const { databaseUrl } = (given ?? own)!
  const db = await openPool(databaseUrl)
  const config = {
    ...readConfig({}),
    // It is made with the first file.
    dataDir: join(tmpdir(), `parley-test-${randomBytes(8).toString('hex')}`),
    logLevel: process.env.LOG_LEVEL ?? 'silent',
    jwtSecret: testSecret,
    rateLimits: false,
    ...overrides,
  } as Context['config']
  const log = createLog(config.logLevel, logTo)
  const toLog = { info: (text: string) => log.info(text), warn: (text: string) => log.warn(text) }
  const standby = pair && openStandby(pair.standbyUrl, db, pair.primaryUrl, toLog)
  const ctx = await buildContext({
    db,
    standby,
    databaseUrl,
    config,
    log,
    ...(disk && { disk }),
    ...(tickEvery && { tickEvery }),
    ...(refreshEvery && { refreshEvery }),
  })
  const app = await createApp(ctx)
  let listening: Promise<string> | undefined

  return {
    ctx,
    app,
    databaseUrl,
    /** Returns the SDK, signed in as a wallet. */
    as: async (address: string) => clientOf(app, { token: await newToken(ctx, address) }),
    anonymous: clientOf(app),
    /**
     * Runs the jobs that are due, with those of all messages that were sent. No job runs by itself, so that a test knows
     * when it is done.
     */
    runJobs: async () => {
      for (const reader of readers(ctx)) await followAll(ctx.db, reader)
      await runDueJobs(ctx, databaseUrl, tasks)
    },
    /** Listens on a port of 127.0.0.1 from the first call on, for what needs a socket. Returns the base URL. */
    listen: () => (listening ??= listenOn(app, overrides.port)),
    async [Symbol.asyncDispose]() {
      await closeInTime(app, 10, 10)
      await ctx[Symbol.asyncDispose]()
      await standby?.[Symbol.asyncDispose]()
      await db[Symbol.asyncDispose]()
      if (overrides.dataDir === undefined) await rm(config.dataDir, { recursive: true, force: true })
      await own?.[Symbol.asyncDispose]()
    },
  }
}

const listenOn = async (app: FastifyInstance, port?: number) =>
  app.listen({ port: port ?? (await freePort()), host: '127.0.0.1' })

/** Starts a service that knows the address at which it listens, as a page needs it where wallets sign texts. */
export async function startSite(options: Options = {}): Promise<Service> {
  const port = await freePort()
  const host = `127.0.0.1:${port}`
  const allowedDomains = [host, ...(options.allowedDomains ?? [])]
  return startService({ port, publicUrl: `http://${host}`, ...options, allowedDomains })
}

/**
 * Starts one service for all tests of a file or a `describe`, which is there once its tests run. Each test has wallets and chats of
 * its own, and depends on no other. Options that a `beforeAll` before it makes are given as a function.
 */
export function useService(options: Options | (() => Options) = {}): Service {
  let started: Service | undefined
  beforeAll(async () => {
    started = await startService(typeof options === 'function' ? options() : options)
  })
  afterAll(() => started?.[Symbol.asyncDispose]())
  return new Proxy({} as Service, { get: (_, name) => Reflect.get(started!, name) })
}

export type Service = Awaited<ReturnType<typeof startService>>

/** Returns a token as a wallet gets it by signing in now. `lifetime` is in seconds. */
export const newToken = async (ctx: Context, address: string, lifetime?: number): Promise<string> =>
  issueToken(ctx, address, { lifetime, signOut: await ctx.signOuts.numberFor(address) })

/** Returns the address of a wallet that no other test uses. */
export const newWallet = () => `0x${randomBytes(20).toString('hex')}`

/** Returns a name of a community that no other test uses. */
export const newName = (word: string) => `${word}-${randomBytes(4).toString('hex')}`

/** Returns the SDK on an app, without a socket. */
export const clientOf = (app: FastifyInstance, options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: '', fetch: injectInto(app), retry: false, ...options })

/** Returns a `fetch` that calls the app directly, without a socket. */
export const injectInto =
  (app: FastifyInstance): typeof fetch =>
  async (url, init) => {
    const { statusCode, headers, rawPayload } = await app.inject({
      url: url as string,
      method: init?.method ?? 'GET',
      ...(init?.headers && { headers: init.headers as Record<string, string> }),
      ...(init?.body && {
        payload: init.body instanceof Uint8Array ? Buffer.from(init.body) : (init.body as string),
      }),
    })
    return new Response(statusCode === 204 ? null : new Uint8Array(rawPayload), {
      status: statusCode,
      headers: headers as Record<string, string>,
    })
  }

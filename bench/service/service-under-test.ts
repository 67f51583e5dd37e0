// This is one build of the service, running with a history of its own.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { findAbandoned } from '../../server/src/db/embedded/host.ts'
import { readPidFile } from '../../server/src/db/embedded/postmaster.ts'
import { freePort } from '../../testing/service/ports.ts'
import { family, parentOf } from '../../testing/service/processes.ts'
import { createServiceProcess } from '../../testing/service/service-process.ts'
import { endOnInterrupt, next } from '../load/child-processes.ts'
import { layoutOf } from '../data/layout.ts'
import { loaderOf } from '../data/loader.ts'
import type { Target } from './access.ts'

/** A build that runs, with an empty database. */
export interface RunningBuild extends AsyncDisposable {
  target: Omit<Target, 'size'>
  pid: number
  /** Returns the processes of the service. */
  pids: () => number[]
  /** Returns the processes of PostgreSQL; none when it runs on another machine. */
  databasePids: () => number[]
  ask: <T>(question: 'reset' | 'loop' | 'profile-start' | 'profile-stop') => Promise<T>
}

export interface ServiceUnderTest extends RunningBuild {
  label: string
  target: Target
  /** The seconds of loading, and its size on disk. */
  history: { seconds: number; megabytes: number }
}

interface Build {
  /** The checkout to run. */
  root: string
  /** A server to use instead of the embedded one; gets a database that is dropped at the end. */
  databaseUrl: string | undefined
  /** Processes of the service; one when left out, so that a figure is that of one process. */
  instances?: number | 'auto'
}

interface Options extends Build {
  label: string
  size: number
  progress: (done: number) => void
}

/** Starts the service as an operator would, but without rate limits, and loads its history. */
export async function startServiceUnderTest(options: Options): Promise<ServiceUnderTest> {
  const { label, size, root, progress } = options
  await using stack = new AsyncDisposableStack()
  const build = stack.use(await startBuild(options))
  const began = performance.now()
  const { databaseUrl } = build.target
  await (await loaderOf(root)).loadHistory(databaseUrl, layoutOf(size), progress)
  const { megabytes } = await inspectDatabase(databaseUrl)
  stack.move()
  return {
    ...build,
    label,
    target: { ...build.target, size },
    history: { seconds: (performance.now() - began) / 1000, megabytes },
  }
}

/** Starts the service as an operator would, but without rate limits. */
export async function startBuild({ root, databaseUrl: server, instances = 1 }: Build): Promise<RunningBuild> {
  await using stack = new AsyncDisposableStack()
  // A run that was killed could not remove its own directory.
  for (const abandoned of await findAbandoned(os.tmpdir(), 'parley-bench-')) await remove(abandoned)
  const dataDir = await mkdtemp(path.join(os.tmpdir(), `parley-bench-${process.pid}-`))
  stack.defer(() => remove(dataDir))
  const databaseUrl = server && stack.use(await createDatabase(server)).url
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const jwtSecret = randomBytes(32).toString('hex')
  const pushHost = `127.0.0.1:${await freePort()}`
  const probe = path.join(import.meta.dirname, 'probe.mjs')
  const service = stack.use(
    createServiceProcess({
      port,
      command: ['sh', '-c', startScript(root)],
      cwd: root,
      channel: true,
      env: {
        PUBLIC_URL: publicUrl,
        DATA_DIR: dataDir,
        JWT_SECRET: jwtSecret,
        RATE_LIMITS: 'off',
        // Pushes go there, where a case listens.
        PRIVATE_PUSH_HOSTS: pushHost,
        MAIL_FROM: 'Parley <parley@example.org>',
        INSTANCES: String(instances),
        LOG_LEVEL: 'error',
        NODE_OPTIONS: `--import ${pathToFileURL(probe).href}`,
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      },
    }),
  )
  const child = endOnInterrupt(service.launch())
  await service.ready()
  for (const stream of [child.stdout, child.stderr]) stream!.pipe(process.stderr)
  const url = databaseUrl ?? (await embeddedUrl(dataDir))
  const { postmaster } = await inspectDatabase(url)
  const running = stack.move()
  return {
    target: { port, publicUrl, jwtSecret, databaseUrl: url, root, pushHost },
    pid: service.pid,
    pids: () => {
      const others = new Set(family(postmaster))
      return family(service.pid).filter((pid) => !others.has(pid))
    },
    databasePids: () => family(postmaster),
    ask: async <T>(ask: string) => {
      const answer = next<{ answer: T }>(child)
      child.send({ ask })
      return (await answer).answer
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Returns what `npm start` runs in the checkout that is measured. It ends in an exec, so the process is the service's. */
const startScript = (root: string): string =>
  JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).scripts.start

const remove = (directory: string) => rm(directory, { recursive: true, force: true, maxRetries: 5 })

/** Returns the URL of the embedded database, from the file of its process id. */
async function embeddedUrl(dataDir: string): Promise<string> {
  const file = await readPidFile(path.join(dataDir, 'postgres'))
  return `postgres://parley@localhost/parley?host=${file!.socketDir}&port=5432&sslmode=disable`
}

async function inspectDatabase(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ pid: number; bytes: number }>(
    'select pg_backend_pid() as pid, pg_database_size(current_database())::float8 as bytes',
  )
  const postmaster = parentOf(rows[0]!.pid)
  await client.end()
  return { postmaster, megabytes: rows[0]!.bytes / 2 ** 20 }
}

async function createDatabase(server: string) {
  const name = `parley_bench_${randomBytes(4).toString('hex')}`
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  await run(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: String(url), [Symbol.asyncDispose]: () => run(`drop database ${name} with (force)`) }
}

import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../server/src/db/embedded/start.ts'
import { migrateAll } from '../../server/src/jobs/migrate.ts'
import { citusUrl, createClusterTemplate, dropTestDatabases } from './citus.ts'
import { newFolder } from './files.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrls: string[]
  }
}

/** The template is migrated once per run; each test clones it. */
export const templateDatabase = 'parley_template'

/**
 * Starts a real PostgreSQL for each worker, or uses the one of TEST_DATABASE_URL or the cluster of TEST_CITUS_URL for all.
 * Workers that share one also share its transaction ids: an open transaction of one test then delays what another test waits for.
 */
export default async function setup(project: TestProject) {
  await using stack = new AsyncDisposableStack()
  const given = citusUrl ?? process.env.TEST_DATABASE_URL
  const workers = Array.from({ length: project.config.maxWorkers })
  const databaseUrls = given ? [given] : await Promise.all(workers.map(() => startPostgres(stack)))
  if (citusUrl !== undefined) {
    stack.defer(dropTestDatabases)
    await createClusterTemplate(templateDatabase)
  } else await Promise.all(databaseUrls.map(createTemplate))
  project.provide('databaseUrls', databaseUrls)
  const running = stack.move()
  return () => running.disposeAsync()
}

async function startPostgres(stack: AsyncDisposableStack): Promise<string> {
  const { path: dataDir } = stack.use(await newFolder('test'))
  const settings = { max_connections: '300', fsync: 'off', full_page_writes: 'off' }
  return stack.use(await startEmbedded({ dataDir, log: () => {}, settings })).url
}

async function createTemplate(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`drop database if exists ${templateDatabase}`)
  await client.query(`create database ${templateDatabase}`)
  await client.end()
  const url = new URL(databaseUrl)
  url.pathname = `/${templateDatabase}`
  await migrateAll(String(url))
}

import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../server/src/db/embedded/start.ts'
import { migrateAll } from '../server/src/jobs/migrate.ts'
import { newFolder } from './folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string
  }
}

/** Migrated once per run; each test clones it. */
export const templateDatabase = 'parley_template'

/** One real PostgreSQL for the run: the embedded one, or the one of TEST_DATABASE_URL. */
export default async function setup(project: TestProject) {
  await using stack = new AsyncDisposableStack()
  const databaseUrl = process.env.TEST_DATABASE_URL ?? stack.use(await startPostgres(stack)).url
  await createTemplate(databaseUrl)
  project.provide('databaseUrl', databaseUrl)
  const running = stack.move()
  return () => running.disposeAsync()
}

async function startPostgres(stack: AsyncDisposableStack) {
  const { path: dataDir } = stack.use(await newFolder('test'))
  return startEmbedded({ dataDir, log: () => {}, settings: { max_connections: '300' } })
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

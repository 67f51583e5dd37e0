import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../server/src/db/embedded/start.ts'
import { migrateAll } from '../server/src/jobs/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    databaseUrl: string
  }
}

/** Migrated once per run; each test clones it. */
export const templateDatabase = 'parley_template'

/** One real PostgreSQL for the run: the embedded one, or the one of TEST_DATABASE_URL. */
export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'parley-test-'))
  const given = process.env.TEST_DATABASE_URL
  const embedded = given
    ? undefined
    : await startEmbedded({ dataDir, log: () => {}, settings: { max_connections: '300' } })
  const databaseUrl = given ?? embedded!.url
  await createTemplate(databaseUrl)
  project.provide('databaseUrl', databaseUrl)
  return async () => {
    await embedded?.[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  }
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

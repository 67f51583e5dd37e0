// These are databases on the cluster of TEST_CITUS_URL: the URL of a database with the extension on its coordinator, in which the
// workers are registered. Each database of a test is a copy of a template, made on every node by itself: a quarter of a second,
// where tables take a second to make and to distribute.

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { migrateAll } from '../../server/src/jobs/migrate.ts'

export const citusUrl = process.env.TEST_CITUS_URL

interface Node {
  host: string
  port: number
  isCoordinator: boolean
}

let nodes: Promise<Node[]> | undefined

const findNodes = async (): Promise<Node[]> => {
  const found = await runOn<Node>(citusUrl!, [
    `select nodename as host, nodeport as port, groupid = 0 as "isCoordinator" from pg_dist_node order by groupid`,
  ])
  if (!found.some(({ isCoordinator }) => isCoordinator))
    throw new Error('TEST_CITUS_URL: the coordinator is not registered (citus_set_coordinator_host).')
  return found
}

const urlOf = ({ host, port }: Node, database?: string) => {
  const url = Object.assign(new URL(citusUrl!), { hostname: host, port: String(port) })
  if (database !== undefined) url.pathname = `/${database}`
  return url.href
}

/** Runs statements one by one; returns the rows of the last one. */
async function runOn<Row extends object>(url: string, statements: string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const sql of statements) ({ rows } = await client.query<Row>(sql))
    return rows
  } finally {
    await client.end()
  }
}

/** Otherwise the statement would go to all nodes by itself, and would not know other templates. */
const alone = 'set citus.enable_create_database_propagation = off'

const onEachNode = async (statements: string[]) => {
  nodes ??= findNodes()
  await Promise.all((await nodes).map((node) => runOn(urlOf(node), [alone, ...statements])))
}

/** Makes a new database on all nodes, with the settings of its role that distribute.sql makes. */
export async function copyOnCluster(name: string, template: string) {
  await onEachNode([
    `create database ${name} template ${template} strategy file_copy`,
    `alter role current_user in database ${name} set lock_timeout to '2s'`,
  ])
  return {
    databaseUrl: Object.assign(new URL(citusUrl!), { pathname: `/${name}` }).href,
    // This is not awaited: the daemon that Citus runs in each database can make it fail after five seconds. What is left then is
    // dropped at the end of the run.
    [Symbol.asyncDispose]: async () => void dropOnCluster(name).catch(() => {}),
  }
}

/** No node may connect to the database on another node while it is dropped there. */
async function dropOnCluster(name: string): Promise<void> {
  await onEachNode([`update pg_database set datallowconn = false where datname = '${name}'`])
  await onEachNode([`drop database if exists ${name} with (force)`])
}

/** Drops what the tests of a run have left. */
export async function dropTestDatabases(): Promise<void> {
  nodes ??= findNodes()
  for (const node of await nodes) {
    const left = await runOn<{ name: string }>(urlOf(node), [
      String.raw`select datname as name from pg_database where datname like 'test\_%'`,
    ])
    for (const { name } of left)
      await runOn(urlOf(node), [alone, `drop database if exists ${name} with (force)`]).catch(() => {})
  }
}

/** Makes a new database on all nodes with all tables, distributed: for tests without a template. */
export async function newClusterDatabase() {
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = await createOnCluster(name)
  return { url, [Symbol.asyncDispose]: () => dropOnCluster(name).catch(() => {}) }
}

/** Makes such a database for `copyOnCluster`: nobody can connect to it, so that it can be copied. */
export async function createClusterTemplate(name: string): Promise<void> {
  await dropOnCluster(name)
  await createOnCluster(name)
  await onEachNode([
    `update pg_database set datallowconn = false where datname = '${name}'`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  ])
}

/** Makes a new database on all nodes, with the tables on the coordinator: for moving it. */
export async function newLocalDatabase() {
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = await createOnCluster(name, async () => {})
  return { url, [Symbol.asyncDispose]: () => dropOnCluster(name).catch(() => {}) }
}

async function createOnCluster(name: string, finish = distribute): Promise<string> {
  await onEachNode([`create database ${name}`])
  const [coordinator, ...workers] = await nodes!
  for (const node of await nodes!) await runOn(urlOf(node, name), ['create extension if not exists citus'])
  const url = urlOf(coordinator!, name)
  await runOn(url, [
    `select citus_set_coordinator_host('${coordinator!.host}', ${coordinator!.port})`,
    ...workers.map(({ host, port }) => `select citus_add_node('${host}', ${port})`),
  ])
  await migrateAll(url)
  await finish(url)
  return url
}

async function distribute(url: string): Promise<void> {
  const folder = path.join(import.meta.dirname, '../../server/cluster')
  const files = await Promise.all(
    ['ids.sql', 'copies.sql', 'distribute.sql'].map((file) => readFile(path.join(folder, file), 'utf8')),
  )
  await runOn(url, ['begin', ...files, 'commit'])
}

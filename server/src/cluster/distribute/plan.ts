// Makes the plan that `npm run parley -- distribute` prints before it moves a database.

import { bytes } from '../../lib/amounts.ts'
import { appliedMigrations, listMigrations } from '../../db/migrate.ts'
import type { Session } from '../../db/session.ts'
import type { Places } from './places.ts'

export interface Plan {
  nodes: Node[]
  /** This has the tables to move, with their bytes on disk, indexes included. */
  sizes: Map<string, number>
  total: number
}

interface Node {
  name: string
  /** This is true when tables are moved to this node. */
  isWorker: boolean
}

/** Reads the database and its nodes, and changes nothing. Throws the reason when the database cannot be moved. */
export async function makePlan(session: Session, places: Places): Promise<Plan> {
  await requireExtension(session)
  await requireTables(session, places)
  const nodes = await findNodes(session)
  const sizes = await findSizes(session, places)
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  await requireAlike(session, nodes)
  await requireRoom(session, nodes, total)
  return { nodes, sizes, total }
}

/** Describes the plan, a line for each step. */
export function describePlan({ nodes, sizes, total }: Plan, places: Places): string[] {
  const workers = nodes.filter(({ isWorker }) => isWorker)
  const big = [...sizes].toSorted(([, a], [, b]) => b - a).slice(0, 5)
  return [
    `${places.moved.length} tables, ${bytes(total)}, go to ${workers.map(({ name }) => name).join(', ')}`,
    `the largest: ${big.map(([table, size]) => `${table} ${bytes(size)}`).join(', ')}`,
    '1. every request is answered with 503 until the end: "The database is being moved"',
    '2. in one transaction: the ids of a cluster, above those given out; the tables, one after the other; their rows counted',
    '3. instances end by themselves, and serve again when they are started again',
  ]
}

async function requireExtension({ query }: Session): Promise<void> {
  const [found] = await query<{ version: string; extension: boolean; superuser: boolean }>(
    `select current_setting('server_version') as version, current_setting('is_superuser') = 'on' as superuser,
       exists (select 1 from pg_extension where extname = 'citus') as extension`,
  )
  const { version, extension, superuser } = found!
  if (!extension)
    throw new Error(
      `This PostgreSQL has no citus extension: install it on all nodes, and run "create extension citus" in this database of each. This is PostgreSQL ${version}.`,
    )
  if (!superuser) throw new Error('The role of DATABASE_URL must be a superuser on all nodes.')
}

async function requireTables(session: Session, { moved, local }: Places): Promise<void> {
  const applied = await appliedMigrations(session.client)
  if (applied.length === 0)
    throw new Error('There is nothing to move: no Parley has started on this database.')
  const missing = (await listMigrations()).filter((name) => !applied.includes(name))
  if (missing.length > 0)
    throw new Error(
      `The database is not up to date: start this version of the service first (${missing[0]}).`,
    )
  const [state] = await session.query<{ cluster: boolean; distributed: string[] }>(
    `select exists (select 1 from pg_proc where oid = to_regprocedure('next_id_v1(integer, bigint)') and provolatile = 'i') as cluster,
       array(select logicalrelid::text from pg_dist_partition
             join pg_class c on c.oid = logicalrelid where c.relnamespace = 'public'::regnamespace order by 1) as distributed`,
  )
  if (state!.cluster) throw new Error('The database is a cluster already.')
  if (state!.distributed.length > 0)
    throw new Error(
      `Some tables are distributed by hand: ${state!.distributed.join(', ')}. Undo it with undistribute_table.`,
    )
  const rows = await session.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname not like 'kysely_migration%' and relname <> 'database_move'
       and relname <> all ($1) order by 1`,
    [[...moved, ...local]],
  )
  if (rows.length > 0)
    throw new Error(
      `Tables that this version does not know: ${rows.map(({ name }) => name).join(', ')}. Use the command of the newest version that has run.`,
    )
}

async function findNodes({ query }: Session): Promise<Node[]> {
  const nodes = await query<Node & { isCoordinator: boolean; active: boolean }>(
    `select nodename || ':' || nodeport as name, shouldhaveshards as "isWorker", groupid = 0 as "isCoordinator",
       isactive as active from pg_dist_node where noderole = 'primary' order by groupid`,
  )
  if (!nodes.some(({ isCoordinator }) => isCoordinator))
    throw new Error('The coordinator is not registered: select citus_set_coordinator_host(host, port).')
  if (!nodes.some(({ isWorker }) => isWorker))
    throw new Error('No worker is registered: select citus_add_node(host, port).')
  const away = nodes.find(({ active }) => !active)
  if (away) throw new Error(`The node ${away.name} is not active.`)
  return nodes
}

async function findSizes({ query }: Session, { moved }: Places): Promise<Map<string, number>> {
  const rows = await query<{ name: string; size: number }>(
    `select t.name, (coalesce(pg_total_relation_size(to_regclass(t.name)), 0) + coalesce(
       (select sum(pg_total_relation_size(inhrelid)) from pg_inherits where inhparent = to_regclass(t.name)), 0))::float8 as size
     from unnest($1::text[]) with ordinality as t (name, n) order by t.n`,
    [moved],
  )
  return new Map(rows.map(({ name, size }) => [name, size]))
}

/** Returns the result of a statement on each node, in the order of `nodes`. */
async function askNodes({ query }: Session, nodes: Node[], sql: string): Promise<string[]> {
  const rows = await query<{ name: string; success: boolean; result: string }>(
    `select nodename || ':' || nodeport as name, success, result
     from run_command_on_all_nodes($1, give_warning_for_connection_errors => true) r join pg_dist_node n using (nodeid)`,
    [sql],
  )
  return nodes.map(({ name }) => {
    const answer = rows.find((row) => row.name === name)
    if (!answer?.success)
      throw new Error(`The node ${name} does not answer: ${answer?.result ?? 'not asked'}`)
    return answer.result
  })
}

async function requireAlike(session: Session, nodes: Node[]): Promise<void> {
  const versions = await askNodes(
    session,
    nodes,
    `select current_setting('server_version') || ', ' || (select extversion from pg_extension where extname = 'citus')
       || case when current_setting('max_prepared_transactions') = '0' then ', no max_prepared_transactions' else '' end`,
  )
  if (new Set(versions).size > 1 || versions[0]!.includes('no max'))
    throw new Error(
      `The nodes must be alike, with max_prepared_transactions above 0: ${nodes.map(({ name }, n) => `${name} ${versions[n]}`).join('; ')}`,
    )
}

/** The copy takes as much room as the tables, spread over the workers; the coordinator still has its data until the end. */
async function requireRoom(session: Session, nodes: Node[], total: number): Promise<void> {
  const free = await askNodes(
    session,
    nodes,
    'select available_disk_size from citus_local_disk_space_stats()',
  )
  const workers = nodes.filter(({ isWorker }) => isWorker).length
  const needed = (total / workers) * 1.5
  for (const [n, { name, isWorker }] of nodes.entries())
    if (isWorker && Number(free[n]) < needed)
      throw new Error(`The disk of ${name} has ${bytes(Number(free[n]))} free, and needs ${bytes(needed)}.`)
}

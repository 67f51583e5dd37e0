// This measures what a stretch of time used: CPU, WAL, disk, connections.

import { readFileSync } from 'node:fs'
import pg from 'pg'
import { repeat } from '../../server/src/lib/repeat.ts'
import { cpuClock } from '../measure.ts'
import type { RunningBuild } from '../service/service-under-test.ts'

export interface Usage {
  seconds: number
  /** Seconds of CPU. */
  cpu: { service: number; postgres: number; generator: number; others: number }
  /** The WAL in bytes. */
  wal: number
  /** The share of the time that the disk was busy, from 0 to 1. */
  disk: number
  /** Connections to the database that were at work, on average. */
  connections: number
}

export interface Watch extends AsyncDisposable {
  /** Vacuums and analyses all tables, as a database that has run for a day has done. */
  vacuum: () => Promise<unknown>
  /** Begins to count; the returned function ends it. */
  begin: () => Promise<() => Promise<Usage>>
  /** Returns the bytes of each table on disk, with its indexes. */
  sizes: () => Promise<Map<string, number>>
}

// Parts of a partitioned table count as that table.
const tableSizes = `
  select coalesce(i.inhparent, c.oid)::regclass::text as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid
  where c.relkind = 'r' and c.relnamespace <> all (array['pg_catalog', 'information_schema']::regnamespace[])
  group by 1`

/** Milliseconds between two counts of the connections. */
const pause = 200

/** Opens a watch over a service, its database and the process that makes the load. */
export async function openWatch(service: RunningBuild, player: { pid: number }): Promise<Watch> {
  const client = new pg.Client({ connectionString: service.target.databaseUrl })
  // A broken connection is reported by the statement that runs.
  client.on('error', () => {})
  await client.connect()
  const one = async (sql: string) => Number((await client.query<{ n: unknown }>(sql)).rows[0]!.n)
  const wal = () => one(`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as n`)
  const atWork = () =>
    one(
      `select count(*) as n from pg_stat_activity
       where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`,
    )
  return {
    async begin() {
      const looks: number[] = []
      // A count that fails is left out: the next statement says why.
      const looking = repeat(pause, () =>
        atWork().then(
          (n) => void looks.push(n),
          () => {},
        ),
      )
      const [walBefore, diskBefore] = [await wal(), diskSeconds()]
      const began = performance.now()
      const cpuSince = cpuClock(service, player)
      return async () => {
        const cpu = cpuSince()
        const seconds = (performance.now() - began) / 1000
        const disk = (diskSeconds() - diskBefore) / seconds
        await looking[Symbol.asyncDispose]()
        const connections = looks.reduce((sum, look) => sum + look, 0) / Math.max(1, looks.length)
        return { seconds, cpu, wal: (await wal()) - walBefore, disk, connections }
      }
    },
    vacuum: () => client.query('vacuum analyze'),
    async sizes() {
      const { rows } = await client.query<{ name: string; bytes: number }>(tableSizes)
      return new Map(rows.map(({ name, bytes }) => [name, bytes]))
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/**
 * Returns the seconds in which the busiest disk of the machine was at work so far (Linux, Documentation/admin-guide/iostats.rst).
 */
function diskSeconds(): number {
  try {
    const lines = readFileSync('/proc/diskstats', 'utf8').trim().split('\n')
    return Math.max(...lines.map((line) => Number(line.trim().split(/\s+/)[12]))) / 1000
  } catch {
    return Number.NaN
  }
}

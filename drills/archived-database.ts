// This is a PostgreSQL of the system's packages that archives its log, so it can be restored to any moment.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newClient } from '../server/src/db/client.ts'
import { freePort } from '../testing/service/ports.ts'
import type { Programs } from './programs.ts'

/** Begins at once, where PostgreSQL would spread a checkpoint over minutes. */
const backupOptions = ['-Ft', '-z', '-X', 'stream', '-c', 'fast']

/** Starts the PostgreSQL with a database `parley`. It ends with the programs. */
export async function newArchivedDatabase(programs: Programs) {
  const { directory, files, give, finish, run, said, write } = programs
  const bin = path.dirname(files.postgres)
  const port = await freePort()
  const url = `postgres://parley@127.0.0.1:${port}/parley`
  const folder = (name: string) => path.join(directory, name)
  for (const name of ['restored', 'archive']) {
    await mkdir(folder(name), { mode: 0o700 })
    await give(folder(name))
  }
  const archived = `${folder('archive')}/%f`
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    archive_mode: 'on',
    archive_timeout: 1,
    archive_command: `test ! -f ${archived} && cp %p ${archived}.part && sync ${archived}.part && mv ${archived}.part ${archived}`,
  }
  let server: ChildProcess | undefined

  async function query<Row extends object>(sql: string, name = 'parley'): Promise<Row> {
    const client = newClient({ url: new URL(name, url).href, name: 'drill' })
    try {
      await client.connect()
      return (await client.query<Row>(sql)).rows[0]!
    } finally {
      await client.end().catch(() => {})
    }
  }
  async function until(sql: string, name?: string): Promise<void> {
    const asked = () => query<{ yes: boolean }>(`select ${sql} as yes`, name).catch(() => undefined)
    for (const deadline = performance.now() + 120_000; !(await asked())?.yes; await sleep(100))
      if (performance.now() > deadline) throw new Error(`PostgreSQL: ${said('postgres')}`)
  }
  async function start(data: string): Promise<void> {
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    server = run('postgres', [files.postgres, '-D', data, ...options])
    await until('not pg_is_in_recovery()', 'postgres')
  }

  const account = ['-U', 'parley', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8']
  await finish(path.join(bin, 'initdb'), '-D', folder('data'), ...account)
  await start(folder('data'))
  await query('create database parley', 'postgres')
  return {
    url,
    query,
    backUp: () => finish(path.join(bin, 'pg_basebackup'), '-d', url, '-D', folder('base'), ...backupOptions),
    /** Waits until the archive reaches further than a moment. */
    isArchived: (moment: string) =>
      until(`(select last_archived_time > '${moment}'::timestamptz + interval '2 s' from pg_stat_archiver)`),
    /** Kills the machine: it is lost, with its disk. */
    async lose(): Promise<void> {
      const ended = once(server!, 'exit')
      server!.kill('SIGKILL')
      await ended
      await finish('/bin/rm', '-rf', folder('data'))
    },
    /** Restores what was committed before a moment. */
    async restore(moment: string): Promise<void> {
      await finish('/bin/tar', '-xzf', folder('base/base.tar.gz'), '-C', folder('restored'))
      await finish('/bin/tar', '-xzf', folder('base/pg_wal.tar.gz'), '-C', folder('restored/pg_wal'))
      await write('restored/recovery.signal', '')
      const recovery = {
        restore_command: `cp ${archived} %p`,
        recovery_target_time: moment,
        recovery_target_action: 'promote',
      }
      const lines = Object.entries(recovery).map(([name, value]) => `${name} = '${value}'\n`)
      await write('restored/postgresql.auto.conf', lines.join(''))
      await start(folder('restored'))
    },
  }
}

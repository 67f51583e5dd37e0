// Programs of the system, run as a plain user in a directory of their own.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { access, chown, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { leash } from '../../testing/leash.ts'
import { CannotRun } from '../run.ts'

export type Programs = Awaited<ReturnType<typeof openPrograms>>

const nobody = 65_534

/** The packages of Debian that have the programs. */
const packages = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy', postgres: 'postgresql' }

/** Where the programs are; throws CannotRun with what to install. */
async function findFiles(): Promise<Record<'patroni' | 'etcd' | 'haproxy' | 'postgres', string>> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const newest = versions.toSorted((one, other) => Number(other) - Number(one))[0] ?? '15'
  const files = {
    patroni: '/usr/bin/patroni',
    etcd: '/usr/bin/etcd',
    haproxy: '/usr/sbin/haproxy',
    postgres: `/usr/lib/postgresql/${newest}/bin/postgres`,
  }
  const missing: string[] = []
  for (const [name, file] of Object.entries(files))
    await access(file).catch(() => missing.push(packages[name as keyof typeof files]))
  if (missing.length > 0)
    throw new CannotRun(`it needs packages that are missing: apt-get install ${missing.join(' ')}`)
  return files
}

/**
 * How Patroni speaks with etcd. With etcd3, versions up to 3.0.2 write the lock of the leader without
 * a comparison: a primary whose PostgreSQL stood still takes the lock back from its successor, and
 * what that one has stored is lost.
 */
async function findEtcdApi(patroni: string): Promise<'etcd' | 'etcd3'> {
  const { stdout } = await promisify(execFile)(patroni, ['--version'])
  const [major = 0, minor = 0, patch = 0] = (/[\d.]+/.exec(stdout)?.[0] ?? '').split('.').map(Number)
  return major * 1e6 + minor * 1e3 + patch < 3_000_003 ? 'etcd' : 'etcd3'
}

/** Disposing ends all programs and removes their files. */
export async function openPrograms(log: (line: string) => void) {
  const files = await findFiles()
  const etcdApi = await findEtcdApi(files.patroni)
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-patroni-'))
  const isRoot = process.getuid?.() === 0
  /** To the user that the programs run as. */
  const give = async (file: string) => isRoot && (await chown(file, nobody, nobody))
  await give(directory)
  const held = leash(directory)
  const said = new Map<string, string>()
  const asUser = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []
  return {
    files,
    etcdApi,
    directory,
    give,
    /** Writes a file that the programs may read. */
    write: async (name: string, text: string): Promise<string> => {
      const file = path.join(directory, name)
      await writeFile(file, text)
      await give(file)
      return file
    },
    run: (name: string, command: string[]): ChildProcess => {
      const [program = '', ...rest] = [...asUser, ...command]
      const child = spawn(program, rest, {
        cwd: directory,
        env: { PATH: process.env.PATH, HOME: directory, LC_ALL: 'C' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data: Buffer) =>
          said.set(name, ((said.get(name) ?? '') + data.toString()).slice(-2_000)),
        )
      child.once('exit', (code) => {
        if (code) log(`${name} ended with ${code}: ${said.get(name) ?? ''}`)
      })
      return child
    },
    /** The last 2,000 characters that a program printed. */
    said: (name: string) => said.get(name) ?? '',
    [Symbol.asyncDispose]: () => held[Symbol.asyncDispose](),
  }
}

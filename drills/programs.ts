// These are programs of the system, run as a plain user in a directory of their own.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chown, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { leash } from '../testing/service/leash.ts'
import { CannotRun } from './run.ts'

export type Programs = Awaited<ReturnType<typeof openPrograms>>

const nobody = 65_534

/** The packages of Debian that have the programs. */
const packages = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy', postgres: 'postgresql' }

type Program = keyof typeof packages

/** Returns the paths of the programs; throws CannotRun with what to install of those that are needed. */
async function findFiles(needed: Program[]): Promise<Record<Program, string>> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const newest = versions.toSorted((one, other) => Number(other) - Number(one))[0] ?? '15'
  const files = {
    patroni: '/usr/bin/patroni',
    etcd: '/usr/bin/etcd',
    haproxy: '/usr/sbin/haproxy',
    postgres: `/usr/lib/postgresql/${newest}/bin/postgres`,
  }
  const missing: string[] = []
  for (const name of needed) await access(files[name]).catch(() => missing.push(packages[name]))
  if (missing.length > 0)
    throw new CannotRun(`it needs packages that are missing: apt-get install ${missing.join(' ')}`)
  return files
}

/** Opens the programs. Disposing ends all of them and removes their files. */
export async function openPrograms(log: (line: string) => void, needed: Program[]) {
  const files = await findFiles(needed)
  const directory = await mkdtemp(path.join(os.tmpdir(), 'parley-programs-'))
  const isRoot = process.getuid?.() === 0
  /** Gives a file to the user that the programs run as. */
  const give = async (file: string) => isRoot && (await chown(file, nobody, nobody))
  await give(directory)
  const held = leash(directory)
  const said = new Map<string, string>()
  const asUser = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []
  const programs = {
    files,
    directory,
    give,
    /** Writes a file that the programs may read. */
    write: async (name: string, text: string): Promise<string> => {
      const file = path.join(directory, name)
      await writeFile(file, text)
      await give(file)
      return file
    },
    /** Starts a program; `log` is called when it fails. */
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
    /** Runs a program to its end; throws what it printed when it fails. */
    finish: async (...command: string[]): Promise<void> => {
      const name = path.basename(command[0]!)
      const [code] = (await once(programs.run(name, command), 'exit')) as [number | null]
      if (code !== 0) throw new Error(`${name} ended with ${code}: ${programs.said(name)}`)
    },
    /** Returns the last 2,000 characters that a program printed. */
    said: (name: string) => said.get(name) ?? '',
    [Symbol.asyncDispose]: () => held[Symbol.asyncDispose](),
  }
  return programs
}

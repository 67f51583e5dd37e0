// The tool as operators use it: beside a service that runs with its own database, and after its end.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@parley/sdk'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { issueToken } from '../src/auth/tokens.ts'
import { newWallet } from '../../testing/service.ts'

let folder: string
const running = new Set<ChildProcess>()
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'parley-tool-'))
})
afterEach(async () => {
  await Promise.all([...running].map(stop))
  await rm(folder, { recursive: true, force: true })
})

const publicUrl = 'https://chat.example.org'
const wallet = newWallet()

async function start(dataDir: string) {
  const port = 10_000 + Math.floor(Math.random() * 22_000)
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../src/main.ts')], {
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir, PUBLIC_URL: publicUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  let printed = ''
  child.stdout.on('data', (data) => (printed += data))
  await expect.poll(() => printed, { timeout: 30_000, interval: 20 }).toContain('docs')
  return { child, baseUrl: `http://127.0.0.1:${port}` }
}

async function stop(child: ChildProcess) {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

async function parley(args: string[], env: Record<string, string>): Promise<string> {
  const tool = path.join(import.meta.dirname, '../src/parley.ts')
  const done = await promisify(execFile)(process.execPath, [tool, ...args], {
    env: { PATH: process.env.PATH, INIT_CWD: folder, ...env },
  }).catch((error: { stdout: string; stderr: string }) => error)
  return done.stdout + done.stderr
}

test('a running service is backed up and restored elsewhere, with its secret: tokens go on, nothing is missing', async () => {
  const [there, elsewhere] = [path.join(folder, 'data'), path.join(folder, 'new')]
  const service = await start(there)
  const jwtSecret = await readFile(path.join(there, 'jwt-secret'), 'utf8')
  const token = await issueToken({ config: { publicUrl, jwtSecret } }, wallet)
  const client = createClient({ baseUrl: service.baseUrl, token })
  const [sent] = await client.sendDirectMessage({
    body: { fromaddr: wallet, toaddr: 'bob', message: 'gm' },
  })

  expect(await parley(['restore', 'a.zip'], { DATA_DIR: there })).toContain('There is no file')
  expect(await parley(['backup', '--to', 'a.zip', '--with-secret'], { DATA_DIR: there })).toMatch(
    /a\.zip\n\d+ tables, \d+ rows/,
  )
  expect(await parley(['restore', 'a.zip'], { DATA_DIR: there })).toContain('A Parley runs on DATA_DIR')
  await client.sendDirectMessage({ body: { fromaddr: wallet, toaddr: 'bob', message: 'after the backup' } })
  await stop(service.child)

  expect(await parley(['backup', '--to', 'b.zip'], { DATA_DIR: there })).toContain('b.zip')
  expect(await parley(['verify', 'b.zip'], {})).toContain('is whole')
  const restored = await parley(['restore', 'a.zip', '--with-secret'], { DATA_DIR: elsewhere })
  expect(restored).toContain('Start the service now')
  const again = await start(elsewhere)
  const back = createClient({ baseUrl: again.baseUrl, token })
  expect(await back.listDirectMessages({ address: wallet })).toEqual([sent])
}, 120_000)

test('it tells how it is used, and what is wrong', async () => {
  expect(await parley(['--help'], {})).toContain('npm run parley -- backup')
  expect(await parley(['nonsense'], {})).toContain('npm run parley -- backup')
  expect(await parley(['restore'], {})).toContain('Say which file')
  const none = { DATA_DIR: path.join(folder, 'none') }
  expect(await parley(['backup'], none)).toContain('There is no database in DATA_DIR')
  expect(await parley(['backup', '--with-secret'], { ...none, JWT_SECRET: 'x'.repeat(32) })).toContain(
    'The secret is in JWT_SECRET',
  )
})

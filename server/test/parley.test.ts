// The tool as operators use it: beside a service that runs with its own database, and after its
// end.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@parley/sdk'
import { beforeEach, expect, test } from 'vitest'
import { issueToken } from '../src/auth/tokens.ts'
import { newFolder } from '../../testing/service/files.ts'
import { freePort } from '../../testing/service/ports.ts'
import { createServiceProcess } from '../../testing/service/service-process.ts'
import { newWallet } from '../../testing/service/service.ts'

let stack: AsyncDisposableStack
let folder: string
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  folder = stack.use(await newFolder('tool')).path
  return () => stack.disposeAsync()
})

const publicUrl = 'https://chat.example.org'
const wallet = newWallet()

async function start(dataDir: string) {
  const env = { DATA_DIR: dataDir, PUBLIC_URL: publicUrl, DRAIN_SECONDS: '0' }
  const service = stack.use(
    createServiceProcess({
      port: await freePort(),
      env,
    }),
  )
  await service.start()
  return service
}

async function parley(args: string[], env: Record<string, string>): Promise<string> {
  const tool = path.join(import.meta.dirname, '../src/parley.ts')
  const done = await promisify(execFile)(process.execPath, [tool, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      INIT_CWD: folder,
      ...env,
    },
  }).catch((error: { stdout: string; stderr: string }) => error)
  return done.stdout + done.stderr
}

test('a running service is checked, backed up and restored elsewhere, with its secret: tokens go on, nothing is missing', async () => {
  const [there, elsewhere] = [path.join(folder, 'data'), path.join(folder, 'new')]
  const service = await start(there)
  const jwtSecret = await readFile(path.join(there, 'jwt-secret'), 'utf8')
  const token = await issueToken({ config: { publicUrl, jwtSecret } }, wallet)
  const client = createClient({ baseUrl: service.url, token })
  const [sent] = await client.sendDirectMessage({
    body: { fromaddr: wallet, toaddr: 'bob', message: 'gm' },
  })

  expect(await parley(['restore', 'a.zip'], { DATA_DIR: there })).toContain('There is no file')
  expect(await parley(['backup', '--to', 'a.zip', '--with-secret'], { DATA_DIR: there })).toMatch(
    /a\.zip\n\d+ tables, \d+ rows/,
  )
  expect(await parley(['restore', 'a.zip'], { DATA_DIR: there })).toContain('A Parley runs on DATA_DIR')
  await client.sendDirectMessage({ body: { fromaddr: wallet, toaddr: 'bob', message: 'after the backup' } })
  expect(await parley(['check'], { DATA_DIR: there })).toMatch(
    /^\d+ tables checked in .* s: nothing is wrong$/m,
  )
  expect(await parley(['partition'], { DATA_DIR: there })).toMatch(
    /^direct_messages: the next part, direct_messages_2, begins with the id \d+\ngroup_messages: .*$/m,
  )
  expect(await parley(['partition'], { DATA_DIR: there })).toContain('direct_messages_2 is not in use yet')
  await client.sendDirectMessage({ body: { fromaddr: wallet, toaddr: 'bob', message: 'after the cut' } })
  await client.setName({ body: { name: 'Alice' } })
  await service.end('SIGTERM')

  expect(await parley(['check'], { DATA_DIR: there })).toContain('nothing is wrong')
  expect(await parley(['backup', '--to', 'b.zip'], { DATA_DIR: there })).toContain('b.zip')
  expect(await parley(['verify', 'b.zip'], {})).toContain('is whole')
  const restored = await parley(['restore', 'a.zip', '--with-secret'], { DATA_DIR: elsewhere })
  expect(restored).toContain('Start the service now')
  const again = await start(elsewhere)
  const back = createClient({ baseUrl: again.url, token })
  expect(await back.listDirectMessages({ address: wallet })).toEqual([sent])
}, 120_000)

test('it says how it is used, and what is wrong', async () => {
  const none = { DATA_DIR: path.join(folder, 'none') }
  const cases: [string[], Record<string, string>, string][] = [
    [['--help'], {}, 'backup [options]'],
    [['bakcup'], {}, 'Did you mean backup?'],
    [['restore'], {}, "missing required argument 'file'"],
    [['restore', '--help'], {}, '--with-secret'],
    [['distribute'], none, 'Say --yes to do it.'],
    [['status'], none, 'the service is not started there'],
    ...['backup', 'check', 'partition'].map((command): [string[], Record<string, string>, string] => [
      [command],
      none,
      'There is no database in DATA_DIR',
    ]),
    [['backup', '--with-secret'], { ...none, JWT_SECRET: 'x'.repeat(32) }, 'The secret is in JWT_SECRET'],
  ]
  await Promise.all(cases.map(async ([args, env, said]) => expect(await parley(args, env)).toContain(said)))
})

// The service as its users start it: a process, a data directory, signals.

import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { createClient, signInWith } from '@parley/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeEach, expect, test } from 'vitest'
import { newFolder } from '../../testing/service/files.ts'
import { freePort } from '../../testing/service/ports.ts'
import { createServiceProcess } from '../../testing/service/service-process.ts'

let stack: AsyncDisposableStack
let dataDir: string
beforeEach(async () => {
  stack = new AsyncDisposableStack()
  dataDir = stack.use(await newFolder('main')).path
  return () => stack.disposeAsync()
})

/** Launches a service, and waits until it serves or has ended. */
async function start(env: Record<string, string> = {}) {
  const service = createServiceProcess({
    port: await freePort(),
    env: { DATA_DIR: dataDir, DRAIN_SECONDS: '0', ...env },
  })
  stack.use(service).launch()
  await service.until('docs')
  return service
}

test('it prints where it is, keeps a secret nobody else can read, and what it stored outlives kill and stop', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const address = account.address.toLowerCase()
  const first = await start()
  expect(first.printed()).toMatch(new RegExp(`^Parley data  ${dataDir} `))
  expect(first.printed()).toContain(`open ${first.url} in your browser`)
  expect(first.printed()).toContain(`Parley API   ${first.url}\n`)
  expect(first.printed()).toContain(`Parley docs  ${first.url}/docs/index.html\n`)
  const secret = await stat(path.join(dataDir, 'jwt-secret'))
  expect(secret.mode & 0o777).toBe(0o600)

  const { token } = await signInWith(
    { baseUrl: first.url },
    { address, signMessage: (message) => account.signMessage({ message }) },
  )
  const [sent] = await createClient({ baseUrl: first.url, token }).sendDirectMessage({
    body: { fromaddr: address, toaddr: 'bob', message: 'gm' },
  })
  await first.end('SIGKILL')

  // The token was for another PUBLIC_URL, so the second start signs in again.
  const second = await start()
  const again = await signInWith(
    { baseUrl: second.url },
    { address, signMessage: (message) => account.signMessage({ message }) },
  )
  expect(
    await createClient({ baseUrl: second.url, token: again.token }).listDirectMessages({ address }),
  ).toEqual([sent])
  expect(await second.end('SIGTERM')).toBe(0)
  expect((await readFile(path.join(dataDir, 'jwt-secret'), 'utf8')).length).toBe(64)
})

test('settings that are wrong stop the start with a list', async () => {
  const { child, printed } = await start({ PORT: 'eighty', CORS_ORIGINS: 'nowhere' })
  expect(child.exitCode).toBe(1)
  expect(printed()).toMatch(/PORT must be a whole number[\s\S]*CORS_ORIGINS must be/)
})

test('a second service on the same data directory, or the same port, is refused with the reason', async () => {
  const first = await start()
  const second = await start()
  expect(second.child.exitCode).toBe(1)
  expect(second.printed()).toMatch(/in use by another Parley/i)
  const third = await start({ PORT: String(first.port), DATA_DIR: path.join(dataDir, 'other') })
  expect(third.printed()).toMatch(/Another program uses this port/)
  // Told before a database is made.
  await expect(stat(path.join(dataDir, 'other'))).rejects.toThrow('ENOENT')
})

// A disk with less than the reserve. The drill disk-full has one that is really full.

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { createClient, signInWith } from '@parley/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { newFolder } from '../../testing/service/files.ts'
import { newHookOf } from '../../testing/people/secrets.ts'
import { freePort } from '../../testing/service/ports.ts'
import { createServiceProcess } from '../../testing/service/service-process.ts'
import { newToken, newWallet, startService } from '../../testing/service/service.ts'

const refusal =
  /^The disk of this service has no room left\. Nothing was stored; reading, deleting and signing in go on\./

test('below the reserve every endpoint that stores something is 503 with the reason, and no other one', async () => {
  const disk = { isShort: false }
  await using service = await startService({ disk })
  const wallet = newWallet()
  const client = await service.as(wallet)
  const body = { fromaddr: wallet, toaddr: wallet, message: 'gm' }
  await client.sendDirectMessage({ body })
  disk.isShort = true
  expect(await client.listConversation({ fromaddr: wallet, toaddr: wallet })).toHaveLength(1)
  const authorization = `Bearer ${await newToken(service.ctx, wallet)}`
  const refused: string[] = []
  const secret = await newHookOf(service, wallet, newWallet())
  for (const [name, { method, path, produces, byHook }] of Object.entries<Endpoint>(contract)) {
    if (produces === 'text/event-stream' || name === 'eraseAccount' || name.startsWith('signOut')) continue
    const url = path.replace(/\{\w+\}/g, byHook ? secret : wallet)
    const answer = await service.app.inject({ method, url, headers: { authorization } })
    if (answer.statusCode !== 503 || !refusal.test(answer.json().detail)) continue
    expect(answer.headers['retry-after']).toBe('60')
    refused.push(name)
  }
  const storing = Object.entries<Endpoint>(contract).filter(([, { quotas }]) => quotas)
  expect(refused.toSorted()).toEqual(
    [
      'announcePost',
      'claimImported',
      'markDirectMessage',
      'markReadTo',
      'pinMessage',
      'putFilePart',
      'storeGuestKey',
      ...storing.map(([name]) => name),
    ].toSorted(),
  )
  disk.isShort = false
  await client.sendDirectMessage({ body })
})

test('the service says so, reads and signs in below the reserve of its own disk, at once after a start', async () => {
  await using folder = await newFolder('disk-test')
  const metricsToken = 'a token of the tests that reads metrics'.replaceAll(' ', '-')
  await using service = createServiceProcess({
    port: await freePort(),
    env: {
      DATA_DIR: folder.path,
      DISK_RESERVE: '1000000000',
      METRICS_TOKEN: metricsToken,
      LOG_LEVEL: 'info',
    },
  })
  await service.start()
  expect(service.printed()).toMatch(/MiB left \(DISK_RESERVE\): writes are refused, reads go on/)
  for (const path of ['/healthz', '/readyz']) {
    const answer = await fetch(service.url + path)
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok', writes: 'refused' }])
  }
  const metrics = await (
    await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  ).text()
  expect(metrics).toMatch(/^parley_writes_refused 1$/m)
  expect(metrics).toMatch(/^parley_disk_bytes\{kind="free"\} \d+$/m)
  const { address, signMessage } = privateKeyToAccount(generatePrivateKey())
  const sign = (message: string) => signMessage({ message })
  const options = { baseUrl: service.url, retry: false } as const
  const { token } = await signInWith(options, { address, signMessage: sign })
  const client = createClient({ ...options, token })
  expect(await client.getInbox({ address })).toEqual([])
  await expect(
    client.sendDirectMessage({ body: { fromaddr: address, toaddr: address, message: 'gm' } }),
  ).rejects.toMatchObject({ status: 503, retryAfter: 60, message: expect.stringMatching(refusal) })
})

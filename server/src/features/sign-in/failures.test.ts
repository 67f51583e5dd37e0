import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type Service, startService } from '../../../../testing/service/service.ts'
import { deleteExpiredFailures } from './failures.ts'

const account = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())

async function signIn({ app }: Service, signer: typeof account, from = '198.51.100.7') {
  const { message } = (await app.inject(`/users/${account.address}/nonce`)).json()
  return app.inject({
    method: 'POST',
    url: '/signin',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({
      address: account.address,
      msg: message,
      sig: await signer.signMessage({ message }),
    }),
    remoteAddress: from,
  })
}

const statusesOf = async (count: number, call: () => Promise<{ statusCode: number }>) =>
  (await Promise.all(Array.from({ length: count }, call)))
    .map(({ statusCode }) => statusCode)
    .toSorted((a, b) => a - b)

const ten = Array<number>(10).fill(401)

test('ten sign-ins may fail in 15 minutes, on all instances together; then even a valid one waits', async () => {
  await using one = await startService({ rateLimits: true })
  await using other = await startService({ rateLimits: true, beside: one })
  let n = 0
  const failing = () => signIn(n++ % 2 ? one : other, stranger)
  expect(await statusesOf(16, failing)).toEqual([...ten, ...Array<number>(6).fill(429)])
  const refused = await signIn(one, account)
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(880)
  expect(refused.json().detail).toMatch(/10 may in 15 minutes/)
  // The wallet may sign in from another network address.
  expect((await signIn(one, account, '203.0.113.9')).statusCode).toBe(200)

  await one.ctx.db.query(
    `update failed_sign_ins set failures = array(select t - 900000 from unnest(failures) t), expires_ms = $1`,
    [Date.now() - 1],
  )
  expect((await signIn(one, account)).statusCode).toBe(200)
  await deleteExpiredFailures(one.ctx.db)
  expect(await one.ctx.db.query('select * from failed_sign_ins')).toEqual([])
})

test('successes are not counted, and clear nothing', async () => {
  await using service = await startService({ rateLimits: true })
  expect(await statusesOf(20, () => signIn(service, account))).toEqual(Array<number>(20).fill(200))
  expect(await statusesOf(9, () => signIn(service, stranger))).toEqual(ten.slice(1))
  expect((await signIn(service, account)).statusCode).toBe(200)
  expect(await statusesOf(2, () => signIn(service, stranger))).toEqual([401, 429])
})

test('where failures cannot be counted, nobody signs in', async () => {
  await using service = await startService({ rateLimits: true })
  await service.ctx.db.query('alter table failed_sign_ins rename to away')
  expect((await signIn(service, account)).statusCode).toBeGreaterThanOrEqual(500)
})

import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type Service, useService } from '../../../../testing/service/service.ts'
import { deleteExpiredFailures } from './failures.ts'

const service = useService({ rateLimits: true })
const other = useService({ beside: service, rateLimits: true })

const newAccount = () => privateKeyToAccount(generatePrivateKey())
type Account = ReturnType<typeof newAccount>
const stranger = newAccount()

async function signIn({ app }: Service, account: Account, signer = account, from = '198.51.100.7') {
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
  const account = newAccount()
  let n = 0
  const failing = () => signIn(n++ % 2 ? service : other, account, stranger)
  expect(await statusesOf(16, failing)).toEqual([...ten, ...Array<number>(6).fill(429)])
  const refused = await signIn(service, account)
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(880)
  expect(refused.json().detail).toMatch(/10 may in 15 minutes/)
  // The wallet may sign in from another network address.
  expect((await signIn(service, account, account, '203.0.113.9')).statusCode).toBe(200)

  await service.ctx.db.query(
    `update failed_sign_ins set failures = array(select t - 900000 from unnest(failures) t), expires_ms = $1`,
    [Date.now() - 1],
  )
  expect((await signIn(service, account)).statusCode).toBe(200)
  await deleteExpiredFailures(service.ctx.db)
  expect(await service.ctx.db.query('select * from failed_sign_ins')).toEqual([])
})

test('successes are not counted, and clear nothing', async () => {
  const account = newAccount()
  expect(await statusesOf(20, () => signIn(service, account))).toEqual(Array<number>(20).fill(200))
  expect(await statusesOf(9, () => signIn(service, account, stranger))).toEqual(ten.slice(1))
  expect((await signIn(service, account)).statusCode).toBe(200)
  expect(await statusesOf(2, () => signIn(service, account, stranger))).toEqual([401, 429])
})

test('where failures cannot be counted, nobody signs in', async () => {
  await service.ctx.db.query('alter table failed_sign_ins rename to away')
  const { statusCode } = await signIn(service, newAccount())
  await service.ctx.db.query('alter table away rename to failed_sign_ins')
  expect(statusCode).toBeGreaterThanOrEqual(500)
})

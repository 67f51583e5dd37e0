import { decodeJwt } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createClient, signInWith } from '@parley/sdk'
import { expect, test } from 'vitest'
import {
  injectInto,
  newName,
  type Service,
  startService,
  useService,
} from '../../../../testing/service/service.ts'
import { deleteOldSignOuts } from '../../auth/sign-outs.ts'

const service = useService({ refreshEvery: 100 })
const other = useService({ beside: service, refreshEvery: 100 })

const newAccount = () => privateKeyToAccount(generatePrivateKey())

async function signIn({ app }: Service, account = newAccount()) {
  const options = { baseUrl: '', fetch: injectInto(app) }
  const { token } = await signInWith(options, {
    address: account.address,
    signMessage: (message) => account.signMessage({ message }),
  })
  return { token, address: account.address.toLowerCase() }
}

const statusOf = async ({ app }: Service, { token, address }: { token: string; address: string }) =>
  (await app.inject({ url: `/v1/get_inbox/${address}`, headers: { authorization: `Bearer ${token}` } }))
    .statusCode

const signOut = ({ app }: Service, { token }: { token: string }) =>
  createClient({ baseUrl: '', fetch: injectInto(app), token }).signOutEverywhere()

test('signing out everywhere ends every earlier token, on every instance, and nobody else’s', async () => {
  const account = newAccount()
  const [phone, laptop, stranger] = [
    await signIn(service, account),
    await signIn(other, account),
    await signIn(service),
  ]
  expect([await statusOf(service, laptop), await statusOf(other, phone)]).toEqual([200, 200])
  await signOut(service, phone)
  expect([await statusOf(service, phone), await statusOf(service, laptop)]).toEqual([401, 401])
  await expect.poll(() => statusOf(other, laptop), { timeout: 5_000 }).toBe(401)
  expect(await statusOf(other, phone)).toBe(401)
  expect(await statusOf(other, stranger)).toBe(200)
  await expect(signOut(service, phone)).rejects.toMatchObject({ code: 'unauthorized' })

  // An instance that starts afterwards knows it from the start.
  await using late = await startService({ beside: service })
  expect(await statusOf(late, phone)).toBe(401)
})

test('a wallet that signs in again, in the same second and on any instance, is signed in', async () => {
  const account = newAccount()
  for (let i = 0; i < 5; i++) {
    const before = await signIn(service, account)
    await signOut(service, before)
    // The other instance may not know of the sign-out yet.
    const after = await signIn(other, account)
    expect([await statusOf(service, after), await statusOf(other, after)]).toEqual([200, 200])
    expect(await statusOf(service, before)).toBe(401)
    expect(decodeJwt(after.token).iat! - decodeJwt(before.token).iat!).toBeLessThan(5)
  }
})

test('a sign-out is forgotten when the tokens it was against have expired, and a later one still counts', async () => {
  const account = newAccount()
  const first = await signIn(service, account)
  const rows = () => service.ctx.db.query('select 1 as one from sign_outs where who = $1', [first.address])
  await signOut(service, first)
  const second = await signIn(service, account)
  await deleteOldSignOuts(service.ctx.db)
  expect(await rows()).toHaveLength(1)
  await service.ctx.db.query('update sign_outs set ms = ms - 93600000 where who = $1', [first.address])
  await deleteOldSignOuts(service.ctx.db)
  expect(await rows()).toHaveLength(0)
  const third = await signIn(service, account)
  // This instance does not remember the first sign-out either.
  await using late = await startService({ beside: service })
  expect([await statusOf(late, second), await statusOf(late, third)]).toEqual([200, 200])
  await signOut(late, third)
  expect([await statusOf(late, second), await statusOf(late, third)]).toEqual([401, 401])
})

const before = 'the secret of yesterday, long enough to sign tokens with'
const after = 'the secret of today, which is long enough to sign tokens with'
let logged = ''
const old = useService({ beside: service, jwtSecret: before })
const both = useService({
  beside: service,
  jwtSecret: after,
  jwtSecretPrevious: before,
  logLevel: 'info',
  logTo: { write: (line) => void (logged += line) },
})
const fresh = useService({ beside: service, jwtSecret: after })

test('a new JWT_SECRET signs nobody out while the one before it is still accepted', async () => {
  const account = newAccount()
  const session = await signIn(old, account)
  expect([await statusOf(both, session), await statusOf(fresh, session)]).toEqual([200, 401])
  const renewed = await signIn(both, account)
  expect([await statusOf(fresh, renewed), await statusOf(old, renewed)]).toEqual([200, 401])

  // This nonce is from before the change, signed after it.
  const { message, nonce } = await old.anonymous.getNonce({ address: account.address })
  const sig = await account.signMessage({ message })
  const body = { address: account.address, msg: message, nonce, sig }
  await expect(fresh.anonymous.signIn({ body })).rejects.toMatchObject({ code: 'unauthorized' })
  expect(await both.anonymous.signIn({ body })).toBe(86_400)
  await expect(both.anonymous.signIn({ body })).rejects.toMatchObject({ code: 'unauthorized' })
})

test('a mail that was asked for before the change of JWT_SECRET and sent after it confirms', async () => {
  const { address, token } = await signIn(old)
  const email = `${newName('zoe')}@example.org`
  const client = createClient({ baseUrl: '', fetch: injectInto(old.app), token })
  await client.updateSettings({ body: { walletaddr: address, email } })
  await both.runJobs()
  const code = new RegExp(`verify_email/${encodeURIComponent(email)}/([\\w-]+)`).exec(logged)![1]!
  const later = createClient({ baseUrl: '', fetch: injectInto(both.app), token })
  const [confirmed] = await later.verifyEmail({ email, verification_code: code })
  expect(confirmed).toMatchObject({ verified: 'true' })
})

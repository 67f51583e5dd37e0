import { signInWith } from '@parley/sdk/sign-in.ts'
import { decodeJwt } from 'jose'
import { type Hex, parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test, vi } from 'vitest'
import { issueToken } from '../../auth/tokens.ts'
import {
  injectInto,
  newName,
  newWallet,
  type Service,
  useService,
} from '../../../../testing/service/service.ts'
import { issueNonce } from './nonce.ts'
import { deleteExpiredNonces } from './store.ts'

const service = useService()
const other = useService({ beside: service })

const account = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())
const address = account.address.toLowerCase()

const post = ({ app }: Service, payload: unknown, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/signin',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(payload),
  })

const getNonce = ({ anonymous }: Service, of: string = account.address) => anonymous.getNonce({ address: of })

/** Returns a free text that holds. */
const textWith = (nonce: string) => `Sign in to 127.0.0.1:8080: ${nonce}`

/** Signs a text and signs in with it. */
async function signInWithText(
  on: Service,
  msg: string,
  options: { signer?: typeof account; headers?: Record<string, string>; body?: object } = {},
) {
  const sig = await (options.signer ?? account).signMessage({ message: msg })
  return post(on, { address: account.address, msg, sig, ...options.body }, options.headers)
}

test('a wallet signs in through the SDK and its token works', async () => {
  const baseUrl = await service.listen()
  const signMessage = (message: string) => account.signMessage({ message })
  const { token, expiresIn } = await signInWith(
    { baseUrl },
    { address: account.address, signMessage, name: 'alice' },
  )

  expect(expiresIn).toBe(86_400)
  const claims = decodeJwt(token)
  expect(claims.sub).toBe(address)
  expect(claims.exp! - claims.iat!).toBe(86_400)
  const inbox = await service.app.inject({
    url: `/v1/get_inbox/${account.address}`,
    headers: { authorization: `Bearer ${token}` },
  })
  expect([inbox.statusCode, inbox.json()]).toEqual([200, []])
  const refused = signInWith(
    { baseUrl: '', fetch: injectInto(service.app) },
    { address: stranger.address, signMessage },
  )
  await expect(refused).rejects.toMatchObject({ code: 'unauthorized' })
})

test('the answer is the lifetime of the token, which travels in a header', async () => {
  const { nonce, Nonce, message, expires_at } = await getNonce(service)
  expect(message).toContain(nonce)
  expect(Nonce).toBe(nonce)
  expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(590_000)

  const answer = await signInWithText(service, message, {
    body: { nonce, name: 'alice' },
    headers: { origin: 'https://a.example' },
  })
  expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([
    200,
    '86400',
    expect.stringContaining('application/json'),
  ])
  expect(answer.headers.authorization).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.headers['access-control-expose-headers']).toContain('Authorization')
})

test('who asks for a JWT gets it as the body', async () => {
  const { message } = await getNonce(service)
  const answer = await signInWithText(service, message, { headers: { accept: 'application/jwt, */*;q=0.1' } })
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([
    200,
    expect.stringMatching(/^application\/jwt/),
  ])
  expect(answer.headers.authorization).toBe(`Bearer ${answer.body}`)
  expect(decodeJwt(answer.body).sub).toBe(address)
})

test('each nonce is new, earlier ones stay valid, and each is valid once', async () => {
  const [first, second] = [await getNonce(service), await getNonce(service, address)]
  expect(first.nonce).not.toBe(second.nonce)
  for (const { message } of [first, second]) {
    expect((await signInWithText(service, message)).statusCode).toBe(200)
    expect((await signInWithText(service, message)).statusCode).toBe(401)
  }
  // Another text around the same nonce is no way out.
  expect((await signInWithText(service, textWith(first.nonce))).statusCode).toBe(401)
})

test('of twenty identical sign-ins at once, over two instances, one succeeds', async () => {
  const { message } = await getNonce(service)
  const sig = await account.signMessage({ message })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => post(i % 2 ? service : other, { address, msg: message, sig })),
  )
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(19)
})

test('a stranger cannot use up the nonce of a wallet', async () => {
  const { message } = await getNonce(service)
  expect((await signInWithText(service, message, { signer: stranger })).statusCode).toBe(401)
  expect((await signInWithText(service, message)).statusCode).toBe(200)
})

const strict = useService({ beside: service, signinRequireSiwe: true })

test('free text that names this service around the nonce, or the nonce alone, will do unless EIP-4361 is required', async () => {
  const alone = (await getNonce(service)).nonce
  const bare = { address, nonce: alone, sig: await account.signMessage({ message: alone }) }
  expect((await post(strict, bare)).statusCode).toBe(401)
  expect((await post(service, { ...bare, msg: '', name: '' })).statusCode).toBe(200)
  const { nonce, message } = await getNonce(service)
  expect((await signInWithText(strict, textWith(nonce))).statusCode).toBe(401)
  expect((await signInWithText(service, textWith(nonce), { body: { nonce } })).statusCode).toBe(200)
  expect(
    (await signInWithText(strict, message.replace(nonce, (await getNonce(strict)).nonce))).statusCode,
  ).toBe(200)
})

test('a nonce beside the text is a hint: the one in the signed text counts', async () => {
  for (const hint of ['nonsense', '', (await getNonce(service)).nonce]) {
    const { nonce, message } = await getNonce(service)
    expect((await signInWithText(service, message, { body: { nonce: hint } })).statusCode).toBe(200)
    // It is spent.
    expect((await signInWithText(service, textWith(nonce), { body: { nonce: hint } })).statusCode).toBe(401)
  }
})

test('every failed cause is the same 401', async () => {
  const { nonce, message } = await getNonce(service)
  const earlier = issueNonce(service.ctx.config.jwtSecret, address, new Date(Date.now() - 600_000)).nonce
  const theirs = (await getNonce(service, stranger.address)).nonce
  const sig = await account.signMessage({ message })
  const answers = [
    await signInWithText(service, message, { signer: stranger }),
    await signInWithText(service, message, { body: { address: stranger.address } }),
    await signInWithText(service, message, { body: { address: 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb' } }),
    await signInWithText(service, textWith(earlier)),
    await signInWithText(service, textWith(theirs)),
    await signInWithText(service, textWith('hello'), { body: { nonce } }),
    await signInWithText(service, `evil.test: verify your wallet to claim 500 USDC. Ref ${nonce}`),
    await signInWithText(service, `${textWith(nonce)} evil.test`),
    await signInWithText(service, `evil://${message}`),
    await signInWithText(service, message.replace(/URI: .*/, 'URI: https://evil.test/')),
    await signInWithText(service, message.replace('wants', 'wаnts')),
    await signInWithText(service, message.replace('Version: 1', 'Version: 2')),
    await signInWithText(service, message.replace('127.0.0.1', 'evil.example')),
    await signInWithText(service, `Hi! ${message}`, { body: { nonce } }),
    await post(service, { address, msg: message.replace('Parley', 'Barley'), sig }),
    ...(await Promise.all(
      [
        '',
        '0x',
        'gm',
        `${sig}0`,
        `${sig}00`,
        sig.slice(0, -4),
        `${sig.slice(0, -2)}1d`,
        `0x${'0'.repeat(130)}`,
        `0x${'f'.repeat(16_384)}`,
      ].map((bad) => post(service, { address, msg: message, sig: bad })),
    )),
  ]
  const texts = answers.map(({ statusCode, headers, body }) => [
    statusCode,
    headers['www-authenticate'],
    body.replace(/"request_id":"[^"]*"/, ''),
  ])
  for (const text of texts) expect(text).toEqual([401, expect.stringContaining('Bearer'), texts[0]![2]])
  expect(answers.every(({ headers }) => headers.authorization === undefined)).toBe(true)
  expect((await signInWithText(service, message)).statusCode).toBe(200)
})

test('a chain goes into the text, and a plain account signs for any', async () => {
  const nonceOf = (query: string) => service.app.inject(`/users/${address}/nonce${query}`)
  expect((await nonceOf('')).json().message).toContain('\nChain ID: 1\n')
  const { message } = (await nonceOf('?chain_id=8453')).json()
  expect(message).toContain('\nChain ID: 8453\n')
  for (const bad of ['0', '-1', '1.5', '0x2105', 'base', '9007199254740992', '']) {
    const answer = await nonceOf(`?chain_id=${bad}`)
    expect([bad, answer.statusCode]).toEqual([bad, 400])
    expect(answer.json().errors[0]).toEqual({
      pointer: '/query/chain_id',
      detail: expect.stringContaining('a whole number from 1'),
    })
  }
  const sig = await account.signMessage({ message })
  expect((await post(service, { address, msg: message, sig })).statusCode).toBe(200)
})

test('a signature in another usual spelling is the same signature', async () => {
  const spellings: ((sig: string) => string)[] = [
    (sig) => sig.slice(2),
    (sig) => sig.slice(2).toUpperCase(),
    (sig) => `0X${sig.slice(2)}`,
    (sig) => `0x${sig.slice(2).toUpperCase()}`,
    (sig) => ` \n${sig}\r\n\t`,
    (sig) => `${sig.slice(2, -2)}${sig.endsWith('1b') ? '00' : '01'}`,
    (sig) => serializeCompactSignature(signatureToCompactSignature(parseSignature(sig as Hex))),
    (sig) => serializeCompactSignature(signatureToCompactSignature(parseSignature(sig as Hex))).slice(2),
  ]
  for (const spelled of spellings) {
    const { message } = await getNonce(service)
    const sig = spelled(await account.signMessage({ message }))
    const answer = await post(service, { address, msg: message, sig })
    expect([sig, answer.statusCode]).toEqual([sig, 200])
  }
})

test('a text whose times alone are wrong is told so', async () => {
  const { message } = await getNonce(service)
  const issued = new Date(Date.now() + 180_000).toISOString()
  const answer = await signInWithText(service, message.replace(/Issued At: .*/, `Issued At: ${issued}`))
  expect([answer.statusCode, answer.json().detail]).toEqual([
    401,
    expect.stringMatching(/Issued At is 1\d\d s ahead/),
  ])
  const near = new Date(Date.now() + 20_000).toISOString()
  const fast = `${message.replace(/Issued At: .*/, `Issued At: ${near}`)}\nNot Before: ${near}`
  expect((await signInWithText(service, fast)).statusCode).toBe(200)
})

test('a body of another form is a 400 that names the field', async () => {
  const good = { address, msg: 'gm', nonce: 'n', sig: '0x00', name: 'a' }
  const bodies: unknown[] = [
    null,
    [],
    'gm',
    { msg: 'gm', sig: '0x00' },
    { address, msg: 'gm' },
    { address, sig: '0x00' },
  ]
  bodies.push(
    { ...good, address: 'a b' },
    { ...good, sig: `0x${'0'.repeat(20_000)}` },
    { ...good, msg: 'a\0b' },
  )
  for (const name of Object.keys(good))
    for (const value of [1, null, true, {}, ['0x00']]) bodies.push({ ...good, [name]: value })
  for (const body of bodies) {
    const answer = await post(service, body)
    expect([body, answer.statusCode]).toEqual([body, 400])
    expect(answer.json().errors[0].pointer).toMatch(/^\/body/)
  }
})

test('wallets of other chains get a nonce of the same form', async () => {
  const { nonce, message } = await getNonce(service, 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb')
  expect(nonce).toMatch(/^[a-zA-Z0-9]{17,}$/)
  expect(message).toContain(nonce)
  expect((await service.app.inject('/users/a%20b/nonce')).statusCode).toBe(400)
})

test('spent nonces are forgotten some time after they have expired, and no sooner', async () => {
  const { db } = service.ctx
  const count = async () => (await db.query('select 1 as one from used_nonces')).length
  const before = await count()
  await signInWithText(service, (await getNonce(service)).message)
  await db.query('insert into used_nonces values ($1, $2), ($3, $4)', [
    newName('old'),
    Date.now() - 61 * 60_000,
    newName('new'),
    Date.now() - 60_000,
  ])
  await deleteExpiredNonces(db)
  expect(await count()).toBe(before + 2)
})

const offChain = useService({ rpcUrls: { 1: 'http://127.0.0.1:9' } })

test('a name sent along becomes the wallet’s when it has none, and when it is acceptable and free', async () => {
  const signIn = (signer: typeof account, name: string) =>
    signInWith(
      { baseUrl: '', fetch: injectInto(offChain.app) },
      { address: signer.address, signMessage: (message) => signer.signMessage({ message }), name },
    )
  const nameOf = async (signer: typeof account) =>
    (await (await offChain.as(address)).getName({ name: signer.address }))[0]?.name

  // Neither a bad name nor one that a chain would have to confirm prevents a sign-in.
  for (const unusable of ['', 'admin', '\u202ea', 'a\u200b', address, 'alice.eth', 'a'.repeat(65)])
    expect((await signIn(account, unusable)).expiresIn).toBe(86_400)
  expect(await nameOf(account)).toBeUndefined()
  // Some clients send the id of a chain there.
  for (const chain of ['1', '8453', ' 137 ', '１３７', '7'.repeat(100)]) await signIn(account, chain)
  expect(await nameOf(account)).toBeUndefined()
  await signIn(account, 'Alice')
  await signIn(account, 'another')
  expect(await nameOf(account)).toBe('Alice')
  for (const name of ['Alice', 'ALICE', 'аlice']) await signIn(stranger, name)
  expect(await nameOf(stranger)).toBeUndefined()
  await signIn(stranger, 'Bobby')
  expect(await nameOf(stranger)).toBe('Bobby')
})

test('of many wallets that sign in with one name at once, all are let in and one gets it', async () => {
  const name = `alice${newWallet().slice(2, 12)}`
  const wallets = Array.from({ length: 10 }, () => privateKeyToAccount(generatePrivateKey()))
  await Promise.all(
    wallets.map((wallet, i) =>
      signInWith(
        { baseUrl: '', fetch: injectInto((i % 2 ? service : other).app) },
        {
          address: wallet.address,
          signMessage: (message) => wallet.signMessage({ message }),
          name: i % 3 ? name : name.toUpperCase(),
        },
      ),
    ),
  )
  const client = await service.as(address)
  const named = await Promise.all(wallets.map((wallet) => client.getName({ name: wallet.address })))
  expect(named.flat()).toHaveLength(1)
})

test('a token of an instance whose clock is a little ahead is valid, one that is older than a day is not', async () => {
  const at = async (shift: number, lifetime: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + shift })
    try {
      return await issueToken(service.ctx, address, { lifetime })
    } finally {
      vi.useRealTimers()
    }
  }
  const ask = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await service.app.inject({ url: `/v1/get_unread_cnt/${address}`, headers })).statusCode
  }
  const day = 86_400
  expect(await ask(await at(2_000, day))).toBe(200)
  expect(await ask(await at(55_000, day))).toBe(200)
  expect(await ask(await at(65_000, day))).toBe(401)
  expect(await ask(await at(300_000, day))).toBe(401)
  expect(await ask(await at(-(day - 60) * 1000, 2 * day))).toBe(200)
  expect(await ask(await at(-(day + 1) * 1000, 2 * day))).toBe(401)
})

import { createSignInMessageText, verifySignIn } from '@solana/wallet-standard-util'
import { base58, base64, hex } from '@scure/base'
import * as fc from 'fast-check'
import { signInText } from '@parley/sdk/sign-in-text.ts'
import { expect, test } from 'vitest'
import { newSolanaWallet, solanaWalletOf } from '../../../../testing/people/solana-wallet.ts'
import { solana } from './chain-solana.ts'
import { checkMessage, clockProblem, signInMessage } from './message.ts'
import { issueNonce } from './nonce.ts'
import { envelopesOf } from './solana-envelopes.ts'

const config = {
  allowedDomains: ['chat.example'],
  jwtSecret: 'a secret of thirty-two bytes or so',
  publicUrl: 'https://chat.example',
  signinRequireSiwe: false,
  embedOrigins: ['https://shop.example'],
}
const wallet = solanaWalletOf(Buffer.alloc(32, 7))
const { address } = wallet
const now = new Date('2026-11-20T18:30:00.123Z')
const { nonce, expires_at } = issueNonce(config.jwtSecret, address, now)
const message = signInMessage(config, { address, nonce, expiresAt: expires_at }, now)

const check = (text: string, of = address) => checkMessage(config, { address: of, text }, now)
const verify = (text: string, signature: string, of = address) =>
  solana.verify({ rpcUrls: {} }, { address: of, text, signature, chainId: undefined })

const fields = {
  domain: 'chat.example',
  address,
  statement: 'Sign in to Parley.',
  uri: 'https://chat.example/',
  version: '1',
  chainId: 'mainnet',
  nonce,
  issuedAt: now.toISOString(),
  expirationTime: expires_at,
}

test('the ready message is what the Wallet Standard writes for the same fields, and holds', async () => {
  expect(message).toBe(createSignInMessageText(fields))
  expect(check(message)).toEqual({ nonce, nonceExpiresAt: new Date(expires_at) })
  const signedMessage = Buffer.from(message)
  const signature = wallet.sign(signedMessage)
  const account = { address, publicKey: wallet.key, chains: [], features: [] }
  expect(verifySignIn(fields, { account, signedMessage, signature })).toBe(true)
  expect(await verify(message, base58.encode(signature))).toBe(true)
})

test.each([
  ['without a statement', { statement: '' }],
  ['for another network', { chainId: 'solana:devnet' }],
  [
    'with every field',
    { notBefore: now.toISOString(), requestId: 'a%20b', resources: ['https://a.example/#b'] },
  ],
])('a text of the Wallet Standard %s holds', (_, more) => {
  expect(check(createSignInMessageText({ ...fields, ...more }))).not.toBeNull()
})

test('a site asks for scopes with an account of Solana', () => {
  const site = {
    domain: 'shop.example',
    uri: 'https://shop.example/',
    address,
    nonce,
    issuedAt: now.toISOString(),
  }
  const text = signInText({ ...site, scopes: [`dm:${newSolanaWallet().address}`] })
  expect(check(text)).toMatchObject({ access: { origin: 'https://shop.example' } })
  expect(check(signInText(site))).toBeNull()
})

const other = newSolanaWallet().address
const iso = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()

test.each([
  ['another domain', message.replace('chat.example', 'evil.example')],
  ['another address', message.replace(address, other)],
  ['its address in lower case', message.replace(address, address.toLowerCase())],
  ['an address of Ethereum', message.replace(address, `0x${'1'.repeat(40)}`)],
  ['a heading of Ethereum', message.replace('Solana', 'Ethereum')],
  ['a heading of a chain that nobody has', message.replace('Solana', 'Solona')],
  ['a heading in look-alike letters', message.replace('Solana', 'Sоlаnа')],
  ['a heading of two words', message.replace('Solana', 'Solana Mainnet')],
  ['a URI of another host', message.replace(/URI: .*/, 'URI: https://evil.test/')],
  ['another version', message.replace('Version: 1', 'Version: 2')],
  ['no chain', message.replace('Chain ID: mainnet\n', '')],
  ['a chain of two words', message.replace('Chain ID: mainnet', 'Chain ID: main net')],
  ['a nonce of another wallet', message.replace(nonce, issueNonce(config.jwtSecret, other, now).nonce)],
  ['an issue time to come', message.replace(now.toISOString(), iso(61))],
  ['an expiry in the past', message.replace(expires_at, iso(-61))],
  ['a not-before to come', `${message}\nNot Before: ${iso(61)}`],
  ['a line at the end', `${message}\nAnything`],
  ['lines ended the Windows way', message.replaceAll('\n', '\r\n')],
  [
    'a bare heading and the nonce',
    `evil.example wants you to sign in with your Solana account:\n${address}\n\n${nonce}`,
  ],
])('a text with %s is refused', (_, text) => {
  expect(text).not.toBe(message)
  expect(check(text)).toBeNull()
})

// A wallet of any chain may be shown the heading of any other one.
test.each(['Solana', 'Tezos', 'NEAR', 'Bitcoin', 'Aptos', 'XYZ', 'Ðogecoin', 'crypto', ''])(
  'a text for a site with an account of %s is never a free text, however it is written',
  (chain) => {
    const tezos = 'tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb'
    const evm = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
    for (const of of [address, tezos, evm]) {
      const { nonce: issued } = issueNonce(config.jwtSecret, of, now)
      const free = `for chat.example, ${issued}`
      expect(check(free, of)).not.toBeNull()
      const heading = `wants you to sign in with your ${chain} account:`
      for (const line of [
        heading,
        heading.toUpperCase(),
        heading.replace('sign', 'ѕіgn'),
        heading.replace(' to', '\n to'),
      ])
        expect([of, line, check(`${line}\n${free}`, of)]).toEqual([of, line, null])
    }
  },
)

test('where the times alone are wrong, the refusal says so', () => {
  const text = message.replace(now.toISOString(), iso(180))
  expect(clockProblem(config, { address, text }, now)).toContain('its Issued At is 180 s ahead')
})

test('any one character changed before the times is refused, the statement, the chain and the end of the URI aside', () => {
  const free = [message.indexOf('Sign in to'), message.indexOf('\n\nURI')] as const
  const chain = [message.indexOf('mainnet'), message.indexOf('\nNonce')] as const
  fc.assert(
    fc.property(
      fc.nat(message.indexOf('\nIssued At') - 1),
      fc.string({ minLength: 1, maxLength: 1 }),
      (at, character) => {
        fc.pre((at < free[0] || at >= free[1]) && (at < chain[0] || at >= chain[1]))
        fc.pre(at !== message.indexOf('\nVersion') - 1)
        fc.pre(message[at]!.toLowerCase() !== character.toLowerCase())
        expect(check(message.slice(0, at) + character + message.slice(at + 1))).toBeNull()
      },
    ),
    { numRuns: 500 },
  )
})

test('a signature is base58, base64 with its padding, or hexadecimal digits, and nothing else', async () => {
  const bytes = wallet.sign(Buffer.from('gm'))
  const digits = hex.encode(bytes)
  for (const good of [
    base58.encode(bytes),
    ` ${base58.encode(bytes)}\n`,
    base64.encode(bytes),
    digits,
    `0x${digits}`,
    `0X${digits.toUpperCase()}`.replace('0X', '0x'),
  ])
    expect([good, await verify('gm', good)]).toEqual([good, true])
  for (const bad of [
    '',
    '0x',
    digits.slice(2),
    `${digits}00`,
    base58.encode(bytes).slice(1),
    `${base58.encode(bytes)}1`,
    base64.encode(bytes).replace(/=+$/, ''),
    base64.encode(bytes).replace(/=$/, ''),
    base58.encode(bytes).replace(/.$/, '0'),
    base58.encode(bytes).replace(/.$/, 'л'),
    '1'.repeat(16_000),
  ])
    expect([bad, await verify('gm', bad)]).toEqual([bad, false])
})

test('any byte of a signature changed is refused, and so is another wallet or text', async () => {
  const good = wallet.sign(Buffer.from(message))
  for (const at of good.keys()) {
    const changed = Buffer.from(good)
    changed[at]! ^= 1
    expect([at, await verify(message, base58.encode(changed))]).toEqual([at, false])
  }
  expect(await verify(message, base58.encode(good), other)).toBe(false)
  expect(await verify(`${message} `, base58.encode(good))).toBe(false)
})

const signed = async (bytes: Uint8Array, text = 'Hello\nworld') =>
  verify(text, base58.encode(wallet.sign(bytes)))
const cat = (...parts: (string | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))

test('what a Ledger signs is the text in an envelope of either version, for this wallet alone', async () => {
  const none = Buffer.alloc(32)
  const domain = '\xffsolana offchain'
  const text = 'Hello\nworld'
  for (const format of ['\0', '\x01', '\x02']) {
    expect(await signed(cat(domain, '\0', none, format, '\x01', wallet.key, '\x0b\0', text))).toBe(true)
    expect(await signed(cat(domain, '\0', format, '\x0b\0', text))).toBe(true)
  }
  expect(await signed(cat(domain, '\x01\x01', wallet.key, text))).toBe(true)
  const another = newSolanaWallet().key
  for (const bad of [
    cat(domain, text),
    cat(domain.slice(1), '\x01\x01', wallet.key, text),
    cat(domain, '\x02\x01', wallet.key, text),
    cat(domain, '\x01\x01', another, text),
    cat(domain, '\x01\x02', wallet.key, another, text),
    cat(domain, '\0', Buffer.alloc(32, 1), '\0\x01', wallet.key, '\x0b\0', text),
    cat(domain, '\0', none, '\x03\x01', wallet.key, '\x0b\0', text),
    cat(domain, '\0', none, '\0\x01', another, '\x0b\0', text),
    cat(domain, '\0', none, '\0\x01', wallet.key, '\0\x0b', text),
    cat(domain, '\0\0\x0c\0', text, '!'),
  ])
    expect([bad.toString('latin1'), await signed(bad)]).toEqual([bad.toString('latin1'), false])
  expect(await verify('a'.repeat(70_000), base58.encode(wallet.sign(Buffer.from('a'.repeat(70_000)))))).toBe(
    true,
  )
})

// The bytes of the test of the reference implementation (anza-xyz/kit), without its application and with one signer.
test('the envelopes are byte for byte those of the specification', () => {
  const signer = '0cfe2cc952550e94c725639a4bd11d4ea5a6383651c308b718c3aef286bca1af'
  const key = base58.decode('signerAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
  expect(hex.encode(key)).toBe(signer)
  const heading = 'ff736f6c616e61206f6666636861696e'
  const all = envelopesOf('Hello\nworld', key).map((bytes) => Buffer.from(bytes).toString('hex'))
  expect(all).toContain(`${heading}00${'00'.repeat(32)}0001${signer}0b0048656c6c6f0a776f726c64`)
  expect(all).toContain(`${heading}0101${signer}48656c6c6f0a776f726c64`)
})

import { signInText } from '@parley/sdk/sign-in-text.ts'
import * as fc from 'fast-check'
import { getAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { expect, test } from 'vitest'
import { accessProblem, checkMessage, clockProblem, signInMessage } from './message.ts'
import { issueNonce } from './nonce.ts'

const config = {
  allowedDomains: ['Chat.example:8443', 'chat.example'],
  jwtSecret: 'a secret of thirty-two bytes or so',
  publicUrl: 'https://chat.example',
  signinRequireSiwe: false,
  embedOrigins: [],
}
const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const now = new Date('2026-11-20T18:30:00.123Z')
const { nonce, expires_at } = issueNonce(config.jwtSecret, address, now)
const message = signInMessage(config, { address, nonce, expiresAt: expires_at }, now)

const check = (text: string, options: { at?: string; siweOnly?: boolean } = {}) =>
  checkMessage(
    { ...config, signinRequireSiwe: options.siweOnly ?? false },
    { address, text },
    options.at ? new Date(options.at) : now,
  )

const iso = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()
const insert = (line: string, after: RegExp) => message.replace(after, (found) => `${found}\n${line}`)

test('the ready message is EIP-4361 as viem writes it, and holds', () => {
  const fields = {
    domain: 'chat.example',
    uri: 'https://chat.example/',
    version: '1',
    chainId: 1,
    address: getAddress(address),
  } as const
  const statement = 'Sign in to Parley.'
  expect(message).toBe(
    createSiweMessage({ ...fields, nonce, statement, issuedAt: now, expirationTime: new Date(expires_at) }),
  )
  expect(check(message)).toEqual({ nonce, nonceExpiresAt: new Date(expires_at), chainId: 1 })
  expect(check(message, { siweOnly: true })).not.toBeNull()
})

test.each(['http://parley:8080', 'http://[::1]:8080', 'http://127.0.0.1:8080', 'https://bücher.example'])(
  'the ready message holds for a service at %s',
  (publicUrl) => {
    const own = { ...config, publicUrl, allowedDomains: [new URL(publicUrl).host] }
    const text = signInMessage(own, { address, nonce, expiresAt: expires_at }, now)
    expect(checkMessage(own, { address, text }, now)).not.toBeNull()
  },
)

test('a text with scopes names one origin, its scheme included, also where a service is at http', () => {
  const own = { ...config, publicUrl: 'http://chat.example' }
  const site = { domain: 'chat.example', uri: 'https://chat.example/', address, nonce }
  const text = signInText({ ...site, issuedAt: now.toISOString(), scopes: ['public:read'] })
  const access = { origin: 'https://chat.example', scopes: ['public:read'] }
  for (const right of [text, `https://${text}`])
    expect(checkMessage(own, { address, text: right }, now)).toMatchObject({ access })
  const wrong = { address, text: `http://${text}` }
  expect(checkMessage(own, wrong, now)).toBeNull()
  expect(accessProblem(own, wrong, now)).toContain('is a page of the site that asks: of chat.example')
})

test.each([
  ['a scheme', message.replace('chat.example', 'https://chat.example')],
  ['another allowed domain, whatever its case', message.replace('chat.example', 'CHAT.example:8443')],
  ['an address in lower case', message.replace(getAddress(address), address)],
  ['no statement', message.replace('Sign in to Parley.\n', '')],
  ['an empty statement', message.replace('Sign in to Parley.', '')],
  ['another chain', message.replace('Chain ID: 1', 'Chain ID: 8453')],
  ['an offset', message.replace(now.toISOString(), '2026-11-20T20:00:00+01:30')],
  ['no expiry', message.replace(/\nExpiration Time.*/, '')],
  ['issued half a minute ahead', message.replace(now.toISOString(), iso(30))],
  [
    'every time of a clock that is 50 s fast',
    `${message.replace(now.toISOString(), iso(50))}\nNot Before: ${iso(50)}`,
  ],
  ['an expiry by a clock that is 50 s slow', message.replace(expires_at, iso(-50))],
  ['a not-before in the past', `${message}\nNot Before: ${iso(-1)}`],
  [
    'every optional field',
    `${message}\nNot Before: ${iso(0)}\nRequest ID: a%20b\nResources:\n- ipfs://bafy/\n- https://a.example/#b`,
  ],
  ['a page of the service as its URI', message.replace(/URI: .*/, 'URI: https://chat.example/a?b=c#d')],
  ['another allowed domain in its URI', message.replace(/URI: .*/, 'URI: https://CHAT.example:8443')],
  ['no resources', `${message}\nRequest ID: \nResources:`],
])('a message with %s holds', (_, text) => {
  expect(check(text)).not.toBeNull()
})

test.each([
  ['another domain', message.replace('chat.example', 'evil.example')],
  ['a user in the domain', message.replace('chat.example', 'chat.example@evil.example')],
  ['the domain with another port', message.replace('chat.example', 'chat.example:443')],
  ['the domain with a dot', message.replace('chat.example', 'chat.example.')],
  ['another address', message.replace(/0x[0-9a-fA-F]{40}/, `0x${'1'.repeat(40)}`)],
  ['no URI', message.replace(/URI: .*/, 'URI: ')],
  ['a URI without a scheme', message.replace(/URI: .*/, 'URI: chat.example')],
  ['a URI of another host', message.replace(/URI: .*/, 'URI: https://evil.test/')],
  ['a URI of a host below', message.replace(/URI: .*/, 'URI: https://chat.example.evil.test/')],
  ['a user in the URI', message.replace(/URI: .*/, 'URI: https://chat.example@evil.test/')],
  ['any user in the URI', message.replace(/URI: .*/, 'URI: https://a@chat.example/')],
  ['another scheme in the URI', message.replace(/URI: .*/, 'URI: evil://chat.example/')],
  ['http in the URI of a service at https', message.replace(/URI: .*/, 'URI: http://chat.example/')],
  ['a URI without slashes', message.replace(/URI: .*/, 'URI: https:chat.example')],
  ['a URI without a host', message.replace(/URI: .*/, 'URI: https:///')],
  ['another scheme', `evil://${message}`],
  ['http where the service is at https', `http://${message}`],
  ['another version', message.replace('Version: 1', 'Version: 2')],
  ['a version of 01', message.replace('Version: 1', 'Version: 01')],
  ['a chain id that is no number', message.replace('Chain ID: 1', 'Chain ID: one')],
  ['a chain id with a sign', message.replace('Chain ID: 1', 'Chain ID: -1')],
  ['a chain id beyond all numbers', message.replace('Chain ID: 1', `Chain ID: ${'9'.repeat(30)}`)],
  [
    'another nonce',
    message.replace(
      nonce,
      nonce.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    ),
  ],
  ['a nonce of another wallet', message.replace(nonce, issueNonce(config.jwtSecret, '0xb', now).nonce)],
  ['an issue time to come', message.replace(now.toISOString(), iso(61))],
  ['an issue time that is no time', message.replace(now.toISOString(), 'yesterday')],
  ['an issue time on 30 February', message.replace(now.toISOString(), '2026-02-30T00:00:00Z')],
  ['an issue time at 24:00', message.replace(now.toISOString(), '2026-11-19T24:00:00Z')],
  ['an issue time without a zone', message.replace(now.toISOString(), '2026-11-20T18:30:00')],
  ['an expiry in the past', message.replace(expires_at, iso(-61))],
  ['an expiry that is no time', message.replace(expires_at, 'never')],
  ['a not-before to come', `${message}\nNot Before: ${iso(61)}`],
  ['an unknown line', insert('Audience: all', /Version: 1/)],
  ['a line at the end', `${message}\nAnything`],
  ['a line break at the end', `${message}\n`],
  ['a line before', `Hello\n${message}`],
  ['white space before', ` ${message}`],
  ['an empty line before', `\n${message}`],
  ['a doubled line', insert('Version: 1', /Version: 1/)],
  ['a second nonce', insert(`Nonce: ${nonce}`, /Nonce: .*/)],
  ['two statements', insert('And more.', /Parley\./)],
  ['a letter beyond ASCII in the statement', message.replace('Parley', 'Pärley')],
  ['lines out of order', message.replace('Version: 1\nChain ID: 1', 'Chain ID: 1\nVersion: 1')],
  ['optional lines out of order', `${message}\nRequest ID: a\nNot Before: ${iso(-1)}`],
  ['lines ended the Windows way', message.replaceAll('\n', '\r\n')],
  ['a tag in another case', message.replace('Chain ID', 'chain id')],
  ['a heading in another case', message.replace('wants you to sign in', 'Wants You To Sign In')],
  ['a heading broken in two', message.replace('sign in with', 'sign in\nwith')],
  ['a heading with invisible letters', message.replace('wants', 'wa\u{200b}nts')],
  ['a heading in wide letters', message.replace('wants', 'ｗａｎｔｓ')],
  ['a heading without its colon', message.replace('account:', 'account')],
  ['a heading of other words', message.replace('wants you to', 'would like you to')],
])('a message with %s is refused', (_, text) => {
  expect(text).not.toBe(message)
  expect(check(text)).toBeNull()
})

test('a message without any one of its lines is refused', () => {
  const lines = message.split('\n')
  for (const at of lines.keys()) {
    const optional = /^Sign in|^Expiration/.test(lines[at]!)
    expect([at, check(lines.toSpliced(at, 1).join('\n')) !== null]).toEqual([at, optional])
  }
})

test('any one character changed before the expiry line is refused, the statement and the end of the URI aside', () => {
  const free = [message.indexOf('Sign in to'), message.indexOf('\n\nURI')] as const
  fc.assert(
    fc.property(
      fc.nat(message.indexOf('\nIssued At') - 1),
      fc.string({ minLength: 1, maxLength: 1 }),
      (at, character) => {
        fc.pre(at < free[0] || at >= free[1])
        fc.pre(at !== message.indexOf('\nVersion') - 1)
        fc.pre(message[at]!.toLowerCase() !== character.toLowerCase())
        // Any chain id is valid; it decides on which chain a smart wallet is queried.
        fc.pre(!(message.slice(at - 10, at) === 'Chain ID: ' && /\d/.test(character)))
        expect(check(message.slice(0, at) + character + message.slice(at + 1))).toBeNull()
      },
    ),
    { numRuns: 1000 },
  )
})

test('a message holds only as long as its nonce', () => {
  expect(check(message, { at: iso(599) })).not.toBeNull()
  expect(check(message.replace(/\nExpiration Time.*/, ''), { at: iso(600) })).toBeNull()
})

test('anything at all may be checked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(message.length), (text, at) => {
      expect(check(text)).toBeNull()
      check(message.slice(0, at) + text + message.slice(at))
    }),
  )
})

test('a hostile text is checked in no time', () => {
  const started = performance.now()
  for (const piece of ['\n', ' ', '\r', 'a', `${nonce} `, '[', 'Nonce:\n', 'Resources:\n- a:b\n', 'a://'])
    check(piece.repeat(Math.ceil(16_384 / piece.length)))
  expect(performance.now() - started).toBeLessThan(1000)
})

test('where the times alone are wrong, what is said is which one, by how much, and the right time', () => {
  const problem = (text: string) => clockProblem(config, { address, text }, now)
  const ahead = message.replace(now.toISOString(), iso(180))
  expect(problem(ahead)).toContain('its Issued At is 180 s ahead of the clock of this service')
  expect(problem(ahead)).toContain(now.toISOString())
  expect(problem(`${message}\nNot Before: ${iso(7200)}`)).toContain('Not Before is 7200 s ahead')
  expect(problem(message.replace(expires_at, iso(-240)))).toContain('Expiration Time is 240 s behind')
  for (const other of [
    message,
    'gm',
    nonce,
    ahead.replace('chat.example', 'evil.example'),
    ahead.replace(nonce, issueNonce(config.jwtSecret, '0xb', now).nonce),
    ahead.replace('Version: 1', 'Version: 2'),
  ])
    expect(problem(other)).toBeUndefined()
})

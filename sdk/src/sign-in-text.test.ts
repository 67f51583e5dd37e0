import fc from 'fast-check'
import { refusalToSign } from './refusal-to-sign.ts'
import { parseSiweMessage } from 'viem/siwe'
import { expect, test } from 'vitest'
import {
  narrowScope,
  parseSignInText,
  scopeStatement,
  scopeWords,
  signInText,
  type SignInTextOptions,
} from './sign-in-text.ts'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const seller = '0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'
const shop = {
  domain: 'shop.example',
  uri: 'https://shop.example/item/7',
  address,
  chainId: 8453,
  nonce: '6a1f4d2c9f86d081884c7d65',
  issuedAt: '2026-11-20T18:30:00.123Z',
} as const satisfies SignInTextOptions

test('the text is EIP-4361 as other libraries read it, and says in words what its resources ask for', () => {
  const scopes = [`dm:${seller}`, 'chat:Gärten:read', 'comments:poap_42:7']
  const text = signInText({ ...shop, scopes })
  expect(text).toBe(`shop.example wants you to sign in with your Ethereum account:
${address}

Lets shop.example use Parley as you for 24 hours, for this alone: read your messages with ${seller} and write to them as you; read the chat G=C3=A4rten; read the comments on token 7 of poap_42 and comment there as you.

URI: https://shop.example/item/7
Version: 1
Chain ID: 8453
Nonce: 6a1f4d2c9f86d081884c7d65
Issued At: 2026-11-20T18:30:00.123Z
Resources:
- parley:scope:dm:${seller}
- parley:scope:chat:G%C3%A4rten:read
- parley:scope:comments:poap_42:7`)
  expect(parseSiweMessage(text)).toMatchObject({
    domain: shop.domain,
    address,
    chainId: 8453,
    statement: scopeStatement(shop.domain, scopes),
    resources: [
      `parley:scope:dm:${seller}`,
      'parley:scope:chat:G%C3%A4rten:read',
      'parley:scope:comments:poap_42:7',
    ],
  })
  expect(parseSignInText(text)).toEqual({ ...shop, scopes })
})

test('a page shows in words what it asks for, as the wallet does, and nothing for what no site may ask for', () => {
  expect(scopeWords(`dm:${seller}`)).toBe(`read your messages with ${seller} and write to them as you`)
  expect(scopeWords('chat:Gärten:read')).toBe('read the chat G=C3=A4rten')
  expect(scopeWords('public:read')).toBe('read what every wallet may read')
  for (const scope of ['', 'erase', 'draft:write', 'dm:', 'dm:<address>', '__proto__', 'toString'])
    expect([scope, scopeWords(scope)]).toEqual([scope, undefined])
})

test('what is secret in the address of a page is not in the text', () => {
  expect(signInText({ ...shop, uri: 'https://shop.example/a?token=secret#secret' })).not.toContain('secret')
})

test('a scope that a site may not ask for makes no text, nor do none and too many', () => {
  for (const scopes of [
    ['draft:write'],
    ['erase'],
    ['dm:<address>'],
    ['dm:bob'],
    ['toString'],
    [],
    Array<string>(11).fill('public:read'),
  ])
    expect(() => signInText({ ...shop, scopes }), String(scopes)).toThrow()
})

test('a narrow scope is never one for all: a chat with the name of a permission is refused', () => {
  expect(narrowScope('chat:<chat>', 'town')).toBe('chat:town')
  expect(narrowScope('chat:<chat>:read', 'read')).toBe('chat:read:read')
  for (const [form, ...values] of [
    ['chat:<chat>', 'read'],
    ['chat:<chat>', 'town:post'],
    ['chat:<chat>:read', 'two words'],
    ['dm:<address>', 'send'],
    ['dm:<address>', `send:${seller}`],
    ['comments:<contract>:<token>', seller],
  ] as const)
    expect(() => narrowScope(form, ...values), `${form} ${values.join(' ')}`).toThrow(
      'is not a scope of the form',
    )
})

test('no name of a chat adds words of its own to the statement, or a resource', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), (name) => {
      let text: string
      try {
        text = signInText({ ...shop, scopes: [narrowScope('chat:<chat>:read', name)] })
      } catch {
        return
      }
      const [, said] = /alone: read the chat (.*)\.$/m.exec(text)!
      expect(said).toMatch(/^[\w.~!*'()=-]+$/)
      expect(text.match(/^- .*/gm)).toHaveLength(1)
      expect(parseSignInText(text)?.scopes).toEqual([`chat:${name}:read`])
    }),
  )
})

test('a page lets its wallet sign the text that it expects, and no other', () => {
  const scopes = [`dm:${seller}`]
  const expected = { domain: shop.domain, address: address.toLowerCase(), scopes }
  const text = signInText({ ...shop, scopes })
  expect(refusalToSign(text, expected)).toBeUndefined()
  const others: Record<string, [string, string]> = {
    'a text for all': [signInText(shop), 'something else'],
    'another site': [signInText({ ...shop, domain: 'evil.example', scopes }), 'not for shop.example'],
    'another page': [signInText({ ...shop, uri: 'https://evil.example', scopes }), 'not for shop.example'],
    'another wallet': [signInText({ ...shop, address: seller, scopes }), 'not for 0xd8da'],
    'another peer': [signInText({ ...shop, scopes: [`dm:${address}`] }), 'something else'],
    more: [signInText({ ...shop, scopes: [...scopes, 'inbox:read'] }), 'something else'],
    'a line more': [`${text}\nRequest ID: 1`, 'no text that signs in'],
    'a resource more': [`${text}\n- https://evil.example`, 'no text that signs in'],
    'other words': [text.replace('for 24 hours', 'forever'), 'no text that signs in'],
    'no words': [text.replace(/Lets .*/, ''), 'no text that signs in'],
    'another text': ['I give all my tokens away', 'no text that signs in'],
    'a text around it': [`Hello\n${text}`, 'no text that signs in'],
  }
  for (const [what, [other, reason]] of Object.entries(others))
    expect(refusalToSign(other, expected), what).toContain(reason)
})

test('for an address of Solana the text is of CAIP-122, and a page lets its wallet sign it for that address alone', () => {
  const solana = '7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs'
  const { chainId: _none, ...fields } = { ...shop, address: solana, scopes: [`dm:${seller}`] }
  const text = signInText(fields)
  expect(text).toContain(
    `shop.example wants you to sign in with your Solana account:\n${solana}\n\nLets shop.example`,
  )
  expect(text).toContain('\nChain ID: mainnet\n')
  expect(parseSignInText(text)).toEqual(fields)
  const { domain, scopes } = fields
  expect(refusalToSign(text, { domain, address: solana, scopes })).toBeUndefined()
  expect(refusalToSign(text, { domain, address: solana.toLowerCase(), scopes })).toContain('is not for')
  for (const other of [text.replace('Solana', 'Ethereum'), text.replace('mainnet', '1')])
    expect(parseSignInText(other)).toBeUndefined()
})

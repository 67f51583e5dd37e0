import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkNonce, issueNonce } from './nonce.ts'

const secret = 'a secret of thirty-two bytes or so'
const lifetime = 600_000

const hex = (digits: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'.split('')), { minLength: digits, maxLength: digits })
    .map((found) => found.join(''))
const address = hex(40).map((digits) => `0x${digits}`)
const time = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })

test('a nonce is valid for its wallet until it expires, at any time', () => {
  fc.assert(
    fc.property(address, time, fc.nat(lifetime - 1001), (wallet, now, wait) => {
      const { nonce, expires_at } = issueNonce(secret, wallet, now)
      expect(nonce).toMatch(/^[a-zA-Z0-9]{17,}$/)
      const later = new Date(now.getTime() + wait)
      expect(checkNonce(secret, wallet, nonce, later)?.toISOString()).toBe(expires_at)
    }),
  )
})

test('a nonce is of no use once it has expired', () => {
  fc.assert(
    fc.property(address, time, fc.nat(10 * lifetime), (wallet, now, wait) => {
      const { nonce, expires_at } = issueNonce(secret, wallet, now)
      expect(checkNonce(secret, wallet, nonce, new Date(Date.parse(expires_at) + wait))).toBeNull()
      expect(Date.parse(expires_at)).toBeLessThanOrEqual(now.getTime() + lifetime)
    }),
  )
})

test('a nonce is of no use to another wallet or under another secret', () => {
  fc.assert(
    fc.property(address, address, time, (wallet, other, now) => {
      fc.pre(wallet !== other)
      const { nonce } = issueNonce(secret, wallet, now)
      expect(checkNonce(secret, other, nonce, now)).toBeNull()
      expect(checkNonce(`${secret}.`, wallet, nonce, now)).toBeNull()
    }),
  )
})

test('a nonce with any one character changed, added or left out is refused', () => {
  const { nonce } = issueNonce(secret, '0xa', new Date())
  for (const at of nonce.split('').keys()) {
    for (const character of '0123456789abcdefABCDEFg \n')
      if (character !== nonce[at])
        expect(
          checkNonce(secret, '0xa', nonce.slice(0, at) + character + nonce.slice(at + 1), new Date()),
        ).toBeNull()
    expect(checkNonce(secret, '0xa', nonce.slice(0, at) + nonce.slice(at + 1), new Date())).toBeNull()
    expect(checkNonce(secret, '0xa', `${nonce.slice(0, at)}0${nonce.slice(at)}`, new Date())).toBeNull()
  }
})

test('anything at all may be checked', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), hex(56)), (text) => {
      expect(checkNonce(secret, '0xa', text, new Date())).toBeNull()
    }),
  )
})

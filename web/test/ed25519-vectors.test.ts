// The proofs of keys by wallets of Solana in docs/encryption-vectors.json, against the code of this client and against a verifier that
// follows docs/encryption.md step by step: points of numbers, and no library but a hash. It is slow, and reads nothing secret.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import vectors from '../../docs/encryption-vectors.json' with { type: 'json' }
import { canonicalSignature, hasSigned } from '../src/keys/crypto/ed25519-proof.ts'
import { unlockText } from '../src/keys/crypto/unlock-text.ts'

const { host, solana_key_proofs: solana } = vectors

const p = 2n ** 255n - 19n
const L = 2n ** 252n + 27742317777372353535851937790883648493n
const mod = (number: bigint, by = p) => ((number % by) + by) % by
function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, mod(base)]
  for (let rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % p)
    if (rest & 1n) result = (result * square) % p
  return result
}
const inverse = (number: bigint) => power(number, p - 2n)
const d = mod(-121665n * inverse(121666n))

/** A point of −x² + y² = 1 + d·x²·y², as (X : Y : Z). */
type Point = [x: bigint, y: bigint, z: bigint]
const neutral: Point = [0n, 1n, 1n]

function add([x1, y1, z1]: Point, [x2, y2, z2]: Point): Point {
  const [a, c, e] = [mod(z1 * z2), mod(x1 * x2), mod(y1 * y2)]
  const f = mod(d * c * e)
  const [minus, plus] = [mod(a * a - f), mod(a * a + f)]
  return [mod(a * minus * ((x1 + y1) * (x2 + y2) - c - e)), mod(a * plus * (e + c)), mod(minus * plus)]
}
function times(number: bigint, point: Point): Point {
  let [result, double] = [neutral, point]
  for (let rest = number; rest > 0n; rest >>= 1n, double = add(double, double))
    if (rest & 1n) result = add(result, double)
  return result
}
const isNeutral = ([x, y, z]: Point) => x === 0n && y === z

const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes.toReversed()).toString('hex')}`)
const bytesOf = (number: bigint) =>
  Buffer.from(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').toReversed())
function written([x, y, z]: Point): Buffer {
  const bytes = bytesOf(mod(y * inverse(z)))
  bytes[31]! |= Number(mod(x * inverse(z)) & 1n) << 7
  return bytes
}

/** Reads a point; undefined for what is on no point of the curve. */
function pointOf(bytes: Buffer): Point | undefined {
  const sign = bytes[31]! >> 7
  const y = mod(numberOf(bytes) - (BigInt(sign) << 255n))
  const square = mod((y * y - 1n) * inverse(d * y * y + 1n))
  let x = power(square, (p + 3n) / 8n)
  if (mod(x * x) !== square) x = mod(x * power(2n, (p - 1n) / 4n))
  if (mod(x * x) !== square) return undefined
  return [Number(x & 1n) === sign ? x : mod(-x), y, 1n]
}
const B = pointOf(bytesOf(mod(4n * inverse(5n))))!

const hashOf = (...parts: (Uint8Array | string)[]) => {
  const hash = createHash('sha512')
  for (const part of parts) hash.update(part)
  return numberOf(hash.digest()) % L
}

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const keyOf = (address: string) => {
  let number = 0n
  for (const digit of address) number = number * 58n + BigInt(digits.indexOf(digit))
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex')
}

interface Checks {
  /** Points have one spelling and the order L, and W is none but another than the neutral one. */
  ofPoints: boolean
}

/** Verifies a proof as "The proof of a key by a wallet of Solana" says. */
function verify(address: string, claim: string, proof: string, checks: Checks = { ofPoints: true }): boolean {
  const [prefix, data] = [proof.slice(0, 15), proof.slice(15)]
  const bytes = Buffer.from(data, 'base64url')
  if (prefix !== 'parley-proof-2.' || bytes.length !== 96 || bytes.toString('base64url') !== data)
    return false
  const [ofR, ofA] = [bytes.subarray(0, 32), keyOf(address)]
  const [R, A] = [pointOf(ofR), pointOf(ofA)]
  const [c, t] = [numberOf(bytes.subarray(32, 64)), numberOf(bytes.subarray(64))]
  if (!R || !A || c === 0n || c >= L || t === 0n || t >= L) return false
  const isGood = (point: Point, from: Buffer) =>
    written(point).equals(from) && !isNeutral(point) && isNeutral(times(L, point))
  if (checks.ofPoints && !(isGood(R, ofR) && isGood(A, ofA))) return false
  const P = add(R, times(hashOf(ofR, ofA, unlockText(host, address)), A))
  const [x, y, z] = times(c, P)
  const W = add(times(t, B), [mod(-x), y, z])
  if (checks.ofPoints && (isNeutral(P) || isNeutral(W))) return false
  return hashOf('parley-proof-2.', ofR, ofA, written(W), JSON.stringify([host, address, claim])) === c
}

test('the vectors of a wallet of Solana have its text, its signature, and what that proves with', async () => {
  const { address, unlock_text, unlock_signature, k_hex, P_hex } = solana
  expect(unlockText(host, address)).toBe(unlock_text)
  const signature = Buffer.from(unlock_signature, 'base64url')
  const [ofR, S] = [signature.subarray(0, 32), numberOf(signature.subarray(32))]
  const k = hashOf(ofR, keyOf(address), unlock_text)
  expect(bytesOf(k).toString('hex')).toBe(k_hex)
  const P = add(pointOf(ofR)!, times(k, pointOf(keyOf(address))!))
  expect([written(P).toString('hex'), written(times(S, B)).toString('hex')]).toEqual([P_hex, P_hex])
  expect(await canonicalSignature(`0x${signature.toString('hex')}`, { host, address })).toBe(unlock_signature)
})

test('both verifiers accept the vectors of proofs by a wallet of Solana, and refuse the same others', async () => {
  const { accepted, refused } = solana
  for (const { claim, proof, ...parts } of accepted) {
    expect([claim, verify(solana.address, claim, proof)]).toEqual([claim, true])
    expect(await hasSigned(host, solana.address, { key: claim, sig: proof })).toBe(true)
    const bytes = Buffer.from(proof.slice(15), 'base64url').toString('hex')
    expect(parts.R_hex + parts.c_hex + parts.t_hex).toBe(bytes)
  }
  for (const { why, claim, proof, address = solana.address } of refused) {
    expect([why, verify(address, claim, proof)]).toEqual([why, false])
    expect([why, await hasSigned(host, address, { key: claim, sig: proof })]).toEqual([why, false])
  }
})

test('without the checks of points, the proofs that only they refuse are accepted', () => {
  const hidden = solana.refused.filter(({ why }) => /otherwise|everybody/.test(why))
  expect(hidden).toHaveLength(9)
  for (const { why, claim, proof, address = solana.address } of hidden)
    expect([why, verify(address, claim, proof, { ofPoints: false })]).toEqual([why, true])
})

// The proofs of keys in docs/encryption-vectors.json, against the code of this client and against a verifier that follows
// docs/encryption.md step by step: affine points of numbers, and no library but hashes. It is slow, and reads nothing secret.

import { createHash } from 'node:crypto'
import { keyStatementText, parseContractProof } from '@parley/sdk/key-statement.ts'
import { hashMessage, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import vectors from '../../docs/encryption-vectors.json' with { type: 'json' }
import { hasSigned } from '../src/keys/crypto/key-proof.ts'

const { host, alice, key_proofs, contract_proofs } = vectors

const p = 2n ** 256n - 2n ** 32n - 977n
const n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
type Point = [x: bigint, y: bigint] | 'infinity'
const G: Point = [
  0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
]

const mod = (number: bigint, by: bigint) => ((number % by) + by) % by
function inverse(number: bigint, by: bigint): bigint {
  let [a, b, x, y] = [mod(number, by), by, 1n, 0n]
  while (a > 1n) [a, b, x, y] = [b % a, a, y - (b / a) * x, x]
  return mod(x, by)
}
function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base]
  for (let rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % p)
    if (rest & 1n) result = (result * square) % p
  return result
}

function add(one: Point, other: Point): Point {
  if (one === 'infinity') return other
  if (other === 'infinity') return one
  const [[x1, y1], [x2, y2]] = [one, other]
  if (x1 === x2 && mod(y1 + y2, p) === 0n) return 'infinity'
  const slope = x1 === x2 ? 3n * x1 * x1 * inverse(2n * y1, p) : (y2 - y1) * inverse(x2 - x1, p)
  const x = mod(slope * slope - x1 - x2, p)
  return [x, mod(slope * (x1 - x) - y1, p)]
}
function times(number: bigint, point: Point): Point {
  let [result, double]: Point[] = ['infinity', point]
  for (let rest = number; rest > 0n; rest >>= 1n, double = add(double!, double!))
    if (rest & 1n) result = add(result!, double!)
  return result!
}

const numberOf = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`)
const bytesOf = (number: bigint) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex')
const compressed = ([x, y]: [x: bigint, y: bigint]) =>
  Buffer.concat([Buffer.of(y % 2n === 1n ? 3 : 2), bytesOf(x)])

/** Reads a compressed point; undefined for what is on no curve. */
function pointOf(bytes: Buffer): Exclude<Point, 'infinity'> | undefined {
  const x = numberOf(bytes.subarray(1))
  const y = power(x ** 3n + 7n, (p + 1n) / 4n)
  if (![2, 3].includes(bytes[0]!) || x >= p || mod(y * y - x ** 3n - 7n, p) !== 0n) return undefined
  return [x, (y & 1n) === BigInt(bytes[0]! - 2) ? y : p - y]
}
const addressOf = ([x, y]: [bigint, bigint]) =>
  `0x${keccak256(Buffer.concat([bytesOf(x), bytesOf(y)])).slice(-40)}`

/** Verifies a proof as "The proof of a key" says. */
function verify(claim: string, proof: string): boolean {
  const [prefix, data] = [proof.slice(0, 15), proof.slice(15)]
  const bytes = Buffer.from(data, 'base64url')
  if (prefix !== 'parley-proof-1.' || bytes.length !== 130 || bytes.toString('base64url') !== data)
    return false
  const [R, Q] = [pointOf(bytes.subarray(0, 33)), pointOf(bytes.subarray(33, 66))]
  const [c, t] = [numberOf(bytes.subarray(66, 98)), numberOf(bytes.subarray(98))]
  if (!R || !Q || mod(R[0], n) === 0n || addressOf(Q) !== alice.address) return false
  if (c === 0n || c >= n || t === 0n || t >= n) return false
  const z = BigInt(hashMessage(alice.unlock_text)) % n
  const P = add(times(z, G), times(mod(R[0], n), Q))
  if (P === 'infinity') return false
  const A = add(times(t, R), times(n - c, P))
  if (A === 'infinity') return false
  const hash = createHash('sha512')
    .update('parley-proof-1.')
    .update(Buffer.concat([compressed(R), compressed(Q), compressed(A)]))
    .update(JSON.stringify([host, alice.address, claim]))
    .digest()
  return numberOf(hash) % n === c
}

test('both verifiers accept the vectors of key proofs, and refuse the same others', async () => {
  expect(bytesOf(BigInt(hashMessage(alice.unlock_text)) % n).toString('hex')).toBe(key_proofs.z_hex)
  const { accepted, refused } = key_proofs
  for (const { claim, proof, ...parts } of accepted) {
    expect([claim, verify(claim, proof)]).toEqual([claim, true])
    expect(await hasSigned(host, alice.address, { key: claim, sig: proof })).toBe(true)
    const bytes = Buffer.from(proof.slice(15), 'base64url').toString('hex')
    expect(parts.R_hex + parts.Q_hex + parts.c_hex + parts.t_hex).toBe(bytes)
  }
  for (const { why, claim, proof } of refused) {
    expect([why, verify(claim, proof)]).toEqual([why, false])
    expect([why, await hasSigned(host, alice.address, { key: claim, sig: proof })]).toEqual([why, false])
  }
})

/** Verifies a signature of ECDSA by a public key. */
function isSignedBy(Q: Point, hash: string, signature: string): boolean {
  const [r, s] = [BigInt(signature.slice(0, 66)), BigInt(`0x${signature.slice(66, 130)}`)]
  const w = inverse(s, n)
  const sum = add(times(mod(BigInt(hash) * w, n), G), times(mod(r * w, n), Q))
  return sum !== 'infinity' && mod(sum[0], n) === r
}

test('the vectors of proofs by a contract have the text, the hash and the signature that it is asked about', () => {
  const Q = pointOf(Buffer.from(key_proofs.accepted[0]!.Q_hex, 'hex'))!
  for (const { chain_id: chainId, number, claim, text, hash, signature, proof } of contract_proofs) {
    const [name, chain, count, data] = proof.replace('parley-contract-1', 'name').split('.')
    expect([name, chain, count]).toEqual(['name', `${chainId}`, `${number}`])
    expect(`0x${Buffer.from(data!, 'base64url').toString('hex')}`).toBe(signature)
    expect(text).toContain(
      `\nChain ID: ${chainId}\nEncryption: ${claim.startsWith('o') ? claim : `on ${number} ${claim}`}\n`,
    )
    expect(hashMessage(text)).toBe(hash)
    // A contract whose owner is Alice's key confirms it.
    expect(isSignedBy(Q, hash, signature)).toBe(true)
    expect(keyStatementText({ host, address: alice.address, claim }, { chainId, number })).toBe(text)
    expect(parseContractProof(proof)).toEqual({ chainId, number, signature })
  }
})

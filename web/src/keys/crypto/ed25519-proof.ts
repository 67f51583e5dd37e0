// A wallet of Solana proves a key here without a second signature, as one of Ethereum does (key-proof.ts).
//
// Its signature (R, S) of unlockText is a secret. With A the wallet's key, which is its address, and k the hash of R, A and the text,
// Ed25519 verifies S·B = R + k·A. The right side is public once R is, so S is a private key to the public key P = R + k·A over the
// base B, and only a holder of the wallet's signature of that text knows it. A Schnorr signature by S of (host, wallet, key) is the
// proof: it shows R and nothing about S. docs/encryption.md has the argument and the bytes.

import { mod as modulo } from '@noble/curves/abstract/modular'
import { bytesToNumberLE, hexToBytes, numberToBytesLE } from '@noble/curves/abstract/utils'
import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'
import { fromBase64, randomBytes, toBase64, toBytes } from './bytes.ts'
import type { SignedKey } from './scheme.ts'
import { type Claim, type Place, unlockText } from './unlock-text.ts'

const { ExtendedPoint: Point, CURVE } = ed25519
type Point = InstanceType<typeof Point>

const prefix = 'parley-proof-2.'

/** Reads a point in its one spelling. Throws for one that is not of the prime order, so also for one of small order. */
function pointOf(bytes: Uint8Array): Point {
  const point = Point.fromHex(bytes)
  if (point.equals(Point.ZERO) || !point.isTorsionFree()) throw new Error('This point is not of prime order')
  return point
}

/** Reads a number in its one spelling. Throws for 0. */
function scalarOf(bytes: Uint8Array): bigint {
  const number = bytesToNumberLE(bytes)
  if (number === 0n || number >= CURVE.n) throw new Error('This is not a number of the group')
  return number
}

interface Keys {
  wallet: Point
  /** P, the public key of the proof. */
  verifier: Point
}

/** Returns the keys for which the signature with this R of the text of this place counts. */
async function keysOf({ host, address }: Place, point: Point): Promise<Keys> {
  const wallet = pointOf(base58.decode(address))
  const text = toBytes(unlockText(host, address))
  const k = await toScalar([...point.toRawBytes(), ...wallet.toRawBytes(), ...text])
  return { wallet, verifier: point.add(wallet.multiplyUnsafe(k)) }
}

interface Signature extends Keys {
  point: Point
  s: bigint
}

/** Reads the 64 bytes of a wallet's signature. Throws where it is not of the text as it is: a Ledger signs more than the text. */
async function parseSignature(place: Place, bytes: Uint8Array): Promise<Signature> {
  if (bytes.length !== 64) throw new Error('This is not a signature of Ed25519')
  const [point, s] = [pointOf(bytes.slice(0, 32)), scalarOf(bytes.slice(32))]
  const keys = await keysOf(place, point)
  if (!Point.BASE.multiply(s).equals(keys.verifier)) throw new Error('The wallet has signed another text')
  return { point, s, ...keys }
}

/** Returns the one spelling of a signature, base64url of its 64 bytes; secrets are derived from it. */
export async function canonicalSignature(signature: string, place: Place): Promise<string> {
  if (!signature.startsWith('0x')) throw new Error('This is not a signature of Ed25519')
  const bytes = hexToBytes(signature.slice(2))
  await parseSignature(place, bytes)
  return toBase64(bytes)
}

/** Proves a key with the wallet's signature of unlockText, in its one spelling. */
export async function proveKey(claim: Claim, signature: string): Promise<string> {
  const { point, s, wallet } = await parseSignature(claim, fromBase64(signature))
  // Even with a weak random source, no two proofs have the same nonce.
  const seed = toBytes(`${toBase64(randomBytes(32))} ${s.toString(16)} ${JSON.stringify(claim)}`)
  const nonce = await toScalar(seed)
  const challenge = await challengeOf(claim, point, wallet, Point.BASE.multiply(nonce))
  const answer = modulo(nonce + challenge * s, CURVE.n)
  const bytes = [...point.toRawBytes(), ...numberToBytesLE(challenge, 32), ...numberToBytesLE(answer, 32)]
  return prefix + toBase64(new Uint8Array(bytes))
}

async function isKeyProof(claim: Claim, proof: string): Promise<boolean> {
  const bytes = fromBase64(proof.slice(prefix.length))
  if (!proof.startsWith(prefix) || bytes.length !== 96) return false
  const point = pointOf(bytes.slice(0, 32))
  const [challenge, answer] = [scalarOf(bytes.slice(32, 64)), scalarOf(bytes.slice(64))]
  const { wallet, verifier } = await keysOf(claim, point)
  if (verifier.equals(Point.ZERO)) return false
  const commitment = Point.BASE.multiply(answer).subtract(verifier.multiply(challenge))
  return !commitment.equals(Point.ZERO) && (await challengeOf(claim, point, wallet, commitment)) === challenge
}

const challengeOf = ({ host, address, key }: Claim, point: Point, wallet: Point, commitment: Point) =>
  toScalar([
    ...toBytes(prefix),
    ...point.toRawBytes(),
    ...wallet.toRawBytes(),
    ...commitment.toRawBytes(),
    ...toBytes(JSON.stringify([host, address, key])),
  ])

/** Returns the SHA-512 as a number below the order of the curve, as RFC 8032 reads it: 512 bits, so that no number is likelier. */
const toScalar = async (bytes: Iterable<number>): Promise<bigint> => {
  const hash = await crypto.subtle.digest('SHA-512', Uint8Array.from(bytes))
  return modulo(bytesToNumberLE(new Uint8Array(hash)), CURVE.n)
}

/** Returns true when a wallet of Solana has proven a key for the service at a host. */
export async function hasSigned(host: string, address: string, { key, sig }: SignedKey): Promise<boolean> {
  try {
    return await isKeyProof({ host, address, key }, sig)
  } catch {
    return false
  }
}

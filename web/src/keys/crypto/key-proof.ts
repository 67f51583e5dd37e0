// A wallet of Ethereum proves a key here without a second signature.
//
// The wallet signs one text (unlockText), and that signature (r, s) is a secret: it opens the backup. It proves keys as
// well. With R the point of r, z the hash of the text and Q the wallet's public key, ECDSA verifies s·R = z·G + r·Q.
// The right side is public once R and Q are, so s is a private key to the public key P = z·G + r·Q over the base R, and
// only a holder of the wallet's signature of that text knows it. A Schnorr signature by s of (host, wallet, key) is the
// proof: it shows R and Q and nothing about s. docs/encryption.md has the argument and the bytes.

import { invert, mod as modulo } from '@noble/curves/abstract/modular'
import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/abstract/utils'
import { secp256k1 } from '@noble/curves/secp256k1'
import { hashMessage, isHex } from 'viem'
import { publicKeyToAddress } from 'viem/utils'
import { fromBase64, randomBytes, toBase64, toBytes } from './bytes.ts'
import type { SignedKey } from './scheme.ts'
import { type Claim, unlockText } from './unlock-text.ts'

const { ProjectivePoint: Point, CURVE } = secp256k1
type Point = InstanceType<typeof Point>

const prefix = 'parley-proof-1.'

/** This is a signature of unlockText as numbers, with the point of r. s is the smaller one of the two. */
interface Signature {
  point: Point
  s: bigint
}

/** Reads a wallet's signature: 65 bytes in hexadecimal, r ‖ s ‖ v. Throws for any other. */
function parseSignature(signature: string): Signature {
  if (!isHex(signature) || signature.length !== 132) throw new Error('This is not an ECDSA signature')
  const [r, s, v] = [
    signature.slice(2, 66),
    BigInt(`0x${signature.slice(66, 130)}`),
    Number(`0x${signature.slice(130)}`),
  ]
  const isOdd = v === 28 || v === 1
  const point = Point.fromHex(`${isOdd ? '03' : '02'}${r}`)
  if (s === 0n || s >= CURVE.n) throw new Error('This is not an ECDSA signature')
  return s > CURVE.n / 2n ? { point: point.negate(), s: CURVE.n - s } : { point, s }
}

/** Returns the canonical form of a signature, whatever form the wallet writes; secrets are derived from it. */
export function canonicalSignature(signature: string): string {
  const { point, s } = parseSignature(signature)
  const hex = (number: bigint) => number.toString(16).padStart(64, '0')
  return `0x${hex(point.x)}${hex(s)}${point.y % 2n === 0n ? '1b' : '1c'}`
}

/** Proves a key with the wallet's signature of unlockText. */
export async function proveKey(claim: Claim, signature: string): Promise<string> {
  const { point, s } = parseSignature(signature)
  const z = hashOf(claim)
  // This is ECDSA's recovery: Q = r⁻¹(s·R − z·G).
  const wallet = point
    .multiply(s)
    .subtract(Point.BASE.multiply(z))
    .multiply(invert(rOf(point), CURVE.n))
  // Even with a weak random source, no two proofs have the same nonce.
  const seed = toBytes(`${toBase64(randomBytes(32))} ${s.toString(16)} ${JSON.stringify(claim)}`)
  const nonce = await toScalar(seed)
  const challenge = await challengeOf(claim, point, wallet, point.multiply(nonce))
  const answer = mod(nonce + challenge * s)
  const bytes = [
    ...point.toRawBytes(),
    ...wallet.toRawBytes(),
    ...numberToBytesBE(challenge, 32),
    ...numberToBytesBE(answer, 32),
  ]
  return prefix + toBase64(new Uint8Array(bytes))
}

/**
 * Returns true when a proof shows that the wallet has signed unlockText, and that the holder of that signature claims
 * the key.
 */
export async function isKeyProof(claim: Claim, proof: string): Promise<boolean> {
  const bytes = fromBase64(proof.slice(prefix.length))
  if (!proof.startsWith(prefix) || bytes.length !== 130) return false
  const [point, wallet] = [Point.fromHex(bytes.slice(0, 33)), Point.fromHex(bytes.slice(33, 66))]
  const [challenge, answer] = [bytesToNumberBE(bytes.slice(66, 98)), bytesToNumberBE(bytes.slice(98))]
  if (publicKeyToAddress(`0x${wallet.toHex(false)}`).toLowerCase() !== claim.address) return false
  if (challenge === 0n || challenge >= CURVE.n || answer === 0n || answer >= CURVE.n) return false
  // One point of the curve has the order as its coordinate. For it the wallet's key would play no part, and ECDSA refuses it too.
  if (rOf(point) === 0n) return false
  const verifier = Point.BASE.multiply(hashOf(claim)).add(wallet.multiply(rOf(point)))
  if (verifier.equals(Point.ZERO)) return false
  const commitment = point.multiply(answer).subtract(verifier.multiply(challenge))
  return !commitment.equals(Point.ZERO) && (await challengeOf(claim, point, wallet, commitment)) === challenge
}

/** Returns the hash that the wallet signed, as a number. */
const hashOf = ({ host, address }: Claim): bigint => mod(BigInt(hashMessage(unlockText(host, address))))

const challengeOf = ({ host, address, key }: Claim, point: Point, wallet: Point, commitment: Point) =>
  toScalar(
    new Uint8Array([
      ...toBytes(prefix),
      ...point.toRawBytes(),
      ...wallet.toRawBytes(),
      ...commitment.toRawBytes(),
      ...toBytes(JSON.stringify([host, address, key])),
    ]),
  )

/** Returns the SHA-512 as a number below the order of the curve: 512 bits, so that no number is likelier. */
const toScalar = async (bytes: Uint8Array<ArrayBuffer>): Promise<bigint> =>
  mod(bytesToNumberBE(new Uint8Array(await crypto.subtle.digest('SHA-512', bytes))))

const mod = (number: bigint): bigint => modulo(number, CURVE.n)
const rOf = (point: Point): bigint => mod(point.x)

/**
 * Returns true when a wallet with a key of its own has proven a key for the service at a host. A smart wallet proves its key in
 * another way (keys/state/confirm.ts).
 */
export async function hasSigned(host: string, address: string, { key, sig }: SignedKey): Promise<boolean> {
  try {
    return await isKeyProof({ host, address, key }, sig)
  } catch {
    return false
  }
}

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { mac } from '../../lib/mac.ts'

// A nonce carries its own proof, so issuing one stores nothing and says nothing about the wallet:
//
//   expiry, seconds since 1970, 8 hex digits | random, 16 hex digits | mac, 32 hex digits
//
// The mac is HMAC-SHA256, cut to 128 bits, over the first two parts and the wallet's canonical address, under a key of its own
// derived from the JWT secret. The single use is stored elsewhere: a spent nonce is remembered until it would have expired anyway
// (store.ts).

// Spec gap: the content and the lifetime of a nonce.
const lifetimeSeconds = 600
const expiryDigits = 8
const macDigits = 32
const shape = /^[0-9a-f]{56}$/

/** Issues a nonce for the EIP-4361 message of the wallet with this canonical address. */
export function issueNonce(
  secret: string,
  address: string,
  now: Date,
): { nonce: string; expires_at: string } {
  const expiry = Math.floor(now.getTime() / 1000) + lifetimeSeconds
  const stem = expiry.toString(16).padStart(expiryDigits, '0') + randomBytes(8).toString('hex')
  return { nonce: stem + proof(secret, address, stem), expires_at: new Date(expiry * 1000).toISOString() }
}

/**
 * Returns until when a nonce is valid for the canonical address; null when it is forged, another wallet's or expired.
 */
export function checkNonce(secret: string, address: string, nonce: string, now: Date): Date | null {
  if (!shape.test(nonce)) return null
  const stem = nonce.slice(0, -macDigits)
  if (!timingSafeEqual(Buffer.from(nonce.slice(-macDigits)), Buffer.from(proof(secret, address, stem))))
    return null
  const expiresAt = new Date(Number.parseInt(stem.slice(0, expiryDigits), 16) * 1000)
  return now < expiresAt ? expiresAt : null
}

const proof = (secret: string, address: string, stem: string) =>
  mac(secret, 'sign-in nonce', `${stem}\0${address}`).toString('hex').slice(0, macDigits)

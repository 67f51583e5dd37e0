import { checksum } from 'ox/Address'
import type { Context } from '../../context.ts'
import { secretsOf } from '../../config/jwt-secret.ts'
import { isEvmAddress } from '../../values/formats.ts'
import { checkNonce } from './nonce.ts'
import { resemblesSiwe, parseSiwe } from './siwe.ts'

// What a wallet signs to sign in. There are two kinds of text. A text that resembles EIP-4361 must
// be valid EIP-4361, and every field must hold. Otherwise it is refused, and not accepted as free
// text: or else a message that the wallet's owner signed for another site would be accepted here.
// Any other text only has to contain the issued nonce as a whole word, unless the operator allows
// nothing but EIP-4361.

type MessageConfig = Pick<
  Context['config'],
  'allowedDomains' | 'jwtSecret' | 'publicUrl' | 'signinRequireSiwe'
> &
  Partial<Pick<Context['config'], 'jwtSecretPrevious'>>

const clockSkew = 60_000

/** Writes the EIP-4361 message that the simplest client signs as it is. */
export function signInMessage(
  config: MessageConfig,
  address: string,
  nonce: string,
  expiresAt: string,
  now: Date,
): string {
  const { host, href } = new URL(config.publicUrl)
  // Spec gap: wallets of other chains get a nonce like any other, in a text that names no Ethereum
  // account.
  if (!isEvmAddress(address)) return `Sign in to Parley at ${host} as ${address} with nonce ${nonce}`
  // Written by hand because viem's createSiweMessage throws for hosts such as `parley:8080` and
  // `[::1]:8080`.
  return `${host} wants you to sign in with your Ethereum account:
${checksum(address)}

Sign in to Parley.

URI: ${href}
Version: 1
Chain ID: 1
Nonce: ${nonce}
Issued At: ${now.toISOString()}
Expiration Time: ${expiresAt}`
}

interface SignedText {
  nonce: string
  nonceExpiresAt: Date
  /** Of EIP-4361 texts only: the chain on which a smart wallet is asked. */
  chainId?: number
}

/**
 * Checks a signed text in full (EIP-4361, or free text around an issued nonce); null when anything
 * fails.
 */
export function checkMessage(
  config: MessageConfig,
  { address, text, nonce }: { address: string; text: string; nonce?: string | undefined },
  now: Date,
): SignedText | null {
  if (resemblesSiwe(text)) return checkSiwe(config, address, text, nonce, now)
  if (config.signinRequireSiwe) return null
  for (const word of text.match(words) ?? []) {
    const nonceExpiresAt = nonce && word !== nonce ? null : checkIssued(config, address, word, now)
    if (nonceExpiresAt) return { nonce: word, nonceExpiresAt }
  }
  return null
}

const words = /[\p{L}\p{N}_]+/gu

function checkSiwe(
  config: MessageConfig,
  address: string,
  text: string,
  nonce: string | undefined,
  now: Date,
) {
  const message = parseSiwe(text)
  if (!message) return null
  const time = now.getTime()
  const holds =
    config.allowedDomains.some((domain) => domain.toLowerCase() === message.domain.toLowerCase()) &&
    // Spec gap: the EIP-55 checksum is not enforced.
    message.address.toLowerCase() === address &&
    (!nonce || nonce === message.nonce) &&
    message.issuedAt <= time + clockSkew &&
    (message.expirationTime === undefined || time < message.expirationTime) &&
    (message.notBefore === undefined || time >= message.notBefore)
  const nonceExpiresAt = holds && checkIssued(config, address, message.nonce, now)
  return nonceExpiresAt ? { nonce: message.nonce, nonceExpiresAt, chainId: message.chainId } : null
}

const checkIssued = (config: MessageConfig, address: string, nonce: string, now: Date) =>
  secretsOf(config)
    .map((secret) => checkNonce(secret, address, nonce, now))
    .find((expiresAt) => expiresAt !== null) ?? null

import { checksum } from 'ox/Address'
import type { Context } from '../../context.ts'
import { secretsOf } from '../../config/jwt-secret.ts'
import { isEvmAddress } from '../../values/formats.ts'
import { namesOnly } from './free-text.ts'
import { checkNonce } from './nonce.ts'
import { resemblesSiwe, parseSiwe } from './siwe.ts'

// What a wallet signs to sign in. A text that resembles EIP-4361 must be valid EIP-4361, and every
// field must hold. Otherwise it is refused, and not accepted as free text: or else a message that
// the wallet's owner signed for another site would be accepted here. Unless the operator allows
// nothing but EIP-4361, there are two more: the nonce alone, and a text that holds it as a whole
// word and names this service's host and no other.

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

/** Checks a signed text in full; null when anything fails. */
export function checkMessage(
  config: MessageConfig,
  { address, text }: { address: string; text: string },
  now: Date,
): SignedText | null {
  if (resemblesSiwe(text)) return checkSiwe(config, address, text, now)
  if (config.signinRequireSiwe) return null
  // Spec gap: the nonce that counts is the one in the signed text, whatever is named beside it.
  for (const nonce of text.match(words) ?? []) {
    const nonceExpiresAt = checkIssued(config, address, nonce, now)
    if (!nonceExpiresAt) continue
    const own = {
      hosts: hostsOf(config),
      schemes: schemesOf(config),
      words: isEvmAddress(address) ? [nonce, address] : [nonce],
    }
    return text === nonce || namesOnly(text, own) ? { nonce, nonceExpiresAt } : null
  }
  return null
}

const words = /[\p{L}\p{N}_]+/gu

const hostsOf = ({ allowedDomains }: MessageConfig) => allowedDomains.map((domain) => domain.toLowerCase())

/** Behind a proxy PUBLIC_URL may be left at http. */
const schemesOf = ({ publicUrl }: MessageConfig) => [
  ...new Set(['https', new URL(publicUrl).protocol.slice(0, -1)]),
]

function checkSiwe(config: MessageConfig, address: string, text: string, now: Date) {
  const message = parseSiwe(text)
  if (!message) return null
  const [hosts, schemes] = [hostsOf(config), schemesOf(config)]
  const [, uriScheme = '', uriHost = ''] = /^([^:]+):\/\/([^/?#]*)/.exec(message.uri.toLowerCase()) ?? []
  const time = now.getTime()
  const holds =
    hosts.includes(message.domain.toLowerCase()) &&
    (message.scheme === undefined || schemes.includes(message.scheme.toLowerCase())) &&
    hosts.includes(uriHost) &&
    schemes.includes(uriScheme) &&
    // Spec gap: the EIP-55 checksum is not enforced.
    message.address.toLowerCase() === address &&
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

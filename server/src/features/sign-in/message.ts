import { signInText } from '@parley/sdk/sign-in-text.ts'
import type { Context } from '../../context.ts'
import { secretsOf } from '../../config/jwt-secret.ts'
import { minute } from '../../lib/times.ts'
import { canonicalAddress } from '../../values/formats.ts'
import { namesOnly } from './free-text.ts'
import { type Access, problemWithAccess, readAccess } from './access.ts'
import { chainOfAddress } from './chains.ts'
import { checkNonce } from './nonce.ts'
import { namesOneSite, resemblesSiwe, type SiweFields, siteOfUri } from './siwe.ts'

// A wallet signs this text to sign in. A text that resembles EIP-4361 must be valid EIP-4361, and every field must hold.
// Otherwise it is refused, and not accepted as free text: or else a message that the wallet's owner signed for another site would
// be accepted here. Unless the operator allows nothing but EIP-4361, there are two more forms: the nonce alone, and a text that
// holds it as a whole word and names this service's host and no other.

type MessageConfig = Pick<
  Context['config'],
  'allowedDomains' | 'embedOrigins' | 'jwtSecret' | 'publicUrl' | 'signinRequireSiwe'
> &
  Partial<Pick<Context['config'], 'jwtSecretPrevious'>>

/** The clock of the text's writer may differ from this one by this much: the same for each of its three times. */
const leeway = minute

interface Asked {
  address: string
  chainId?: number | undefined
  nonce: string
  expiresAt: string
}

/** Writes the EIP-4361 message that the simplest client signs as it is. */
export function signInMessage(
  config: MessageConfig,
  { address, chainId = 1, nonce, expiresAt }: Asked,
  now: Date,
): string {
  const { host, href } = new URL(config.publicUrl)
  const chain = chainOfAddress(address)
  // Spec gap: wallets of other chains get a nonce like any other, in a text that names no account of a chain.
  if (!chain) return `Sign in to Parley at ${host} as ${address} with nonce ${nonce}`
  return signInText({
    domain: host,
    uri: href,
    address: chain.written(address),
    chainId,
    nonce,
    issuedAt: now.toISOString(),
    expirationTime: expiresAt,
  })
}

interface SignedText {
  nonce: string
  nonceExpiresAt: Date
  /** The chain on which a smart wallet is queried; only EIP-4361 texts have one. */
  chainId?: number | undefined
  /** What a text with scopes asks for; another asks for all. */
  access?: Access
}

/** Checks a signed text in full; returns null when anything fails. */
export function checkMessage(
  config: MessageConfig,
  { address, text }: { address: string; text: string },
  now: Date,
): SignedText | null {
  if (resemblesSiwe(text)) return checkSiwe(config, address, text, now)
  if (config.signinRequireSiwe || namesScopes(text)) return null
  // Spec gap: the nonce that counts is the one in the signed text, whatever is named beside it.
  for (const nonce of text.match(words) ?? []) {
    const nonceExpiresAt = checkIssued(config, address, nonce, now)
    if (!nonceExpiresAt) continue
    const own = {
      hosts: hostsOf(config),
      schemes: schemesOf(config),
      words: chainOfAddress(address) ? [nonce, address] : [nonce],
    }
    return text === nonce || namesOnly(text, own) ? { nonce, nonceExpiresAt } : null
  }
  return null
}

const words = /[\p{L}\p{N}_]+/gu

const hostsOf = ({ allowedDomains }: Pick<MessageConfig, 'allowedDomains'>) =>
  allowedDomains.map((domain) => domain.toLowerCase())

/** Behind a proxy PUBLIC_URL may be left at http. */
const schemesOf = ({ publicUrl }: MessageConfig) => [
  ...new Set(['https', new URL(publicUrl).protocol.slice(0, -1)]),
]

function checkSiwe(config: MessageConfig, address: string, text: string, now: Date) {
  const message = checkBesideTimes(config, address, text, now)
  if (!message || wrongTime(message, now) !== undefined) return null
  const access = readAccess(message)
  if ('problem' in access || problemWithAccess(access, message.isOwnSite)) return null
  const { nonce, nonceExpiresAt, chainId } = message
  return { nonce, nonceExpiresAt, chainId, ...(access.scopes && { access }) }
}

/** Returns a text of EIP-4361 in which everything except the times holds; else null. */
function checkBesideTimes(config: MessageConfig, address: string, text: string, now: Date) {
  const message = chainOfAddress(address)?.parse(text)
  if (!message) return null
  const isOwnSite = isOfOwnSite(config, message)
  // Spec gap: the EIP-55 checksum is not enforced.
  const holds =
    (isOwnSite || isOfEmbeddingSite(config, message)) && canonicalAddress(message.address) === address
  const nonceExpiresAt = holds && checkIssued(config, address, message.nonce, now)
  return nonceExpiresAt ? { ...message, isOwnSite, nonceExpiresAt } : null
}

type Places = Pick<SiweFields, 'domain' | 'scheme' | 'uri'>

/** Returns true for a text of a site that may ask for all. */
function isOfOwnSite(config: MessageConfig, { domain, scheme, uri }: Places): boolean {
  const [hosts, schemes] = [hostsOf(config), schemesOf(config)]
  const [uriScheme = '', uriHost = ''] = siteOfUri(uri)
  return (
    hosts.includes(domain.toLowerCase()) &&
    (scheme === undefined || schemes.includes(scheme.toLowerCase())) &&
    hosts.includes(uriHost) &&
    schemes.includes(uriScheme)
  )
}

/** Returns true for a text of a site that may ask for some scopes: it names one origin in all places. */
const isOfEmbeddingSite = ({ embedOrigins }: MessageConfig, places: Places): boolean =>
  embedOrigins.includes(siteOfUri(places.uri).join('://')) && namesOneSite(places)

/** A free text in which a person reads a scope never asks for all. */
const namesScopes = (text: string): boolean => /parley:scope|use parley as you/i.test(text)

/**
 * Returns what is wrong with what a text asks for, where everything else holds; undefined for any other text. It says nothing that
 * its writer does not know.
 */
export function accessProblem(
  config: MessageConfig,
  { address, text }: { address: string; text: string },
  now: Date,
): string | undefined {
  if (!resemblesSiwe(text))
    return namesScopes(text) ? 'Only a text of EIP-4361 has scopes: sign such a one.' : undefined
  const message = checkBesideTimes(config, address, text, now)
  if (!message) return undefined
  const access = readAccess(message)
  return 'problem' in access ? access.problem : problemWithAccess(access, message.isOwnSite)
}

type Times = Pick<SiweFields, 'issuedAt' | 'expirationTime' | 'notBefore'>

/** Returns the first time that does not hold, and by how many milliseconds it is away from the clock; undefined when all hold. */
function wrongTime({ issuedAt, expirationTime, notBefore }: Times, now: Date) {
  const time = now.getTime()
  if (issuedAt - time > leeway) return { field: 'Issued At', away: issuedAt - time, isAhead: true }
  if (notBefore !== undefined && notBefore - time > leeway)
    return { field: 'Not Before', away: notBefore - time, isAhead: true }
  if (expirationTime !== undefined && time - expirationTime >= leeway)
    return { field: 'Expiration Time', away: time - expirationTime, isAhead: false }
  return undefined
}

/**
 * Returns what is wrong with the times of a text in which everything else holds; undefined for any other text. It says nothing
 * that its writer does not know: it does not check the signature.
 */
export function clockProblem(
  config: MessageConfig,
  { address, text }: { address: string; text: string },
  now: Date,
): string | undefined {
  const message = resemblesSiwe(text) ? checkBesideTimes(config, address, text, now) : null
  const wrong = message && wrongTime(message, now)
  if (!wrong) return undefined
  const away = `${Math.round(wrong.away / 1000)} s ${wrong.isAhead ? 'ahead of' : 'behind'}`
  return `The clock of the device that wrote this text is wrong, or the text is old: its ${wrong.field} is ${away} the clock of this service, which says ${now.toISOString()}. Up to ${leeway / 1000} s count as the same time. Set the clock, or sign the message of GET /users/{address}/nonce as it is.`
}

const checkIssued = (config: MessageConfig, address: string, nonce: string, now: Date) =>
  secretsOf(config)
    .map((secret) => checkNonce(secret, address, nonce, now))
    .find((expiresAt) => expiresAt !== null) ?? null

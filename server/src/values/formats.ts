// This file has the formats and canonical forms that the contract names.

import { canonicalAddress, isEvmAddress, isSolanaAddress } from '@parley/sdk/accounts.ts'
import { hasUnseen } from '@parley/sdk/unseen.ts'
import { ignorable } from './skeleton.ts'

/** EVM addresses compare in lower case (EIP-55 is not enforced); addresses of other chains are stored byte for byte. */
export { canonicalAddress, isEvmAddress }

// A printable text has no control, format (zero-width, bidi), private-use or unassigned character, and no white space.
const printable = /^[^\p{C}\p{Z}]{1,128}$/u

// Emoji and scripts need these in names of communities, although they are not printable.
const joiner = /\u200c|\u200d|[\u{e0020}-\u{e007f}]/u

/** Returns true for a text that may be the name of a community or the id of a token. */
export const isPrintable = (value: string): boolean =>
  printable.test(value) ||
  (joiner.test(value) &&
    Array.from(value).length <= 128 &&
    !hasUnseen(value) &&
    printable.test(value.replace(ignorable, '')))

const named = /^(?:[a-z0-9.-]+:)+(?:pay-)?(0x[0-9a-f]{40})(?![0-9a-f])/i
const bare = /^(?:xdc)?([0-9a-f]{40})$/i
// Addresses of other chains with this beginning have letters of both cases.
const icap =
  /^(?:iban:)?(?:XE\d\d(?:[0-9A-Z]{30,31}|ETH[0-9A-Z]{13})|xe\d\d(?:[0-9a-z]{30,31}|eth[0-9a-z]{13}))$/

const ofSolana = /^(?:did:pkh:)?solana:(?:\w{1,32}:)?(\w{32,44})(?!\w)/i

/** Returns the problem with an address in another usual spelling: in that form it belongs to nobody. */
export function otherSpelling(value: string): string | undefined {
  if (icap.test(value)) return 'this is an ICAP address: send the one that begins with 0x'
  const solana = ofSolana.exec(value)?.[1]
  if (solana && isSolanaAddress(solana))
    return `send ${solana} alone, without a chain or other text around it`
  const digits = named.exec(value)?.[1]?.slice(2) ?? bare.exec(value)?.[1]
  return digits && `send 0x${digits} alone, without a chain or other text around it`
}

export const isAddress = (value: string): boolean =>
  isEvmAddress(value) || (isPrintable(value) && otherSpelling(value) === undefined)

/** Every API key begins with this, and no other token does. */
export const apiKeyPrefix = 'prl_'

// Control characters other than tab, line feed and carriage return: nobody types one, and JSON
// writes each with six characters. A lone surrogate has no form in UTF-8.
// oxlint-disable-next-line no-control-regex
const refused = /[\0-\x08\v\f\x0e-\x1f]|\p{Surrogate}/u

export const isText = (value: string): boolean => !refused.test(value)

/** Names the first character that is not allowed in a text; undefined when there is none. */
export function refusedCharacter(value: string): string | undefined {
  const [character] = refused.exec(value) ?? []
  if (character === undefined) return undefined
  const code = character.charCodeAt(0)
  const kind = code < 0x20 ? 'control character' : 'lone surrogate'
  return `${kind} U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Accepts the id of a row in decimal digits that a JavaScript number holds exactly. */
export const isId = (value: string): boolean =>
  /^[0-9]{1,16}$/.test(value) && Number.isSafeInteger(Number(value))

/** Accepts a token id in decimal digits: 0 to 2^256-1. */
export const isUint256 = (value: string): boolean => /^[0-9]{1,78}$/.test(value) && BigInt(value) < 2n ** 256n

const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

// Times lie in the years 1 to 9999: RFC 3339 can write them and PostgreSQL can compare them.
const earliest = Date.UTC(1, 0, 1) - 1900 * 365.2425 * 86_400_000
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * Parses a time in RFC 3339 (with or without fraction and offset) or in epoch milliseconds, with an optional leading `$`. Returns
 * epoch milliseconds, or undefined when it is no time.
 */
export function parseTime(value: string): number | undefined {
  // Spec gap: the interface writes the path as `/${time}`, and clients send the `$` along.
  const text = value.replace(/^\$/, '')
  const time = /^\d{1,15}$/.test(text) ? Number(text) : parseRfc3339(text)
  return time !== undefined && time >= earliest && time <= latest ? time : undefined
}

/** Accepts the end of a mute: a time, or `forever`. */
export const isMutedUntil = (value: string): boolean => value === 'forever' || parseTime(value) !== undefined

function parseRfc3339(text: string): number | undefined {
  // Spec gap: "with or without offset": a time without one is UTC.
  const match = rfc3339.exec(/([Zz]|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second] = match.map(Number)
  const daysInMonth = new Date(Date.UTC(year!, month, 0)).getUTCDate()
  if (
    month! < 1 ||
    month! > 12 ||
    day! < 1 ||
    day! > daysInMonth ||
    hour! > 23 ||
    minute! > 59 ||
    second! > 59
  )
    return undefined
  const time = Date.parse(match[0].toUpperCase().replace(' ', 'T'))
  return Number.isNaN(time) ? undefined : time
}

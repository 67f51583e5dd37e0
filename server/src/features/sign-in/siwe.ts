// This is the grammar of EIP-4361, and of CAIP-122 for other chains, rule by rule, as one anchored expression: a line that is
// unknown, missing, doubled or out of place does not match. Nothing here judges the values beyond their form; message.ts does.

import { plainPunctuation, roughLetters } from '../../values/skeleton.ts'

const pctEncoded = '%[0-9A-Fa-f]{2}'
const scheme = '[A-Za-z][A-Za-z0-9+.-]*'
const authority = `(?:[A-Za-z0-9._~!$&'()*+,;=:@\\[\\]-]|${pctEncoded})+`
const pchar = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|${pctEncoded})`
const uri = `${scheme}:(?:${pchar}|[/?\\[\\]])*(?:#(?:${pchar}|[/?])*)?`
const dateTime = '[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9:.]+(?:[Zz]|[+-][0-9]{2}:[0-9]{2})'
const statement = "[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;= -]*"

interface Grammar {
  /** The name of the account in the heading. */
  account: string
  address: string
  chain: string
  /** What stands between the address and the first field where the text has no statement, as expressions. */
  gaps: string[]
}

const grammarOf = ({ account, address, chain, gaps }: Grammar) =>
  new RegExp(
    `^(?:(?<scheme>${scheme})://)?(?<domain>${authority}) wants you to sign in with your ${account} account:\\n` +
      `(?<address>${address})\\n` +
      `(?:\\n(?<statement>${statement})\\n\\n|${gaps.join('|')})` +
      `URI: (?<uri>${uri})\\n` +
      'Version: (?<version>1)\\n' +
      `Chain ID: ${chain}\\n` +
      'Nonce: (?<nonce>[A-Za-z0-9]{8,})\\n' +
      `Issued At: (?<issuedAt>${dateTime})` +
      `(?:\\nExpiration Time: (?<expirationTime>${dateTime}))?` +
      `(?:\\nNot Before: (?<notBefore>${dateTime}))?` +
      `(?:\\nRequest ID: (?<requestId>${pchar}*))?` +
      `(?:\\nResources:(?<resources>(?:\\n- ${uri})*))?$`,
  )

export interface SiweFields {
  scheme: string | undefined
  statement: string
  resources: string[]
  domain: string
  uri: string
  address: string
  /** The number of a chain of EIP-155; undefined for other chains. */
  chainId: number | undefined
  nonce: string
  /** The time in milliseconds since 1970, as the other times. */
  issuedAt: number
  expirationTime: number | undefined
  notBefore: number | undefined
}

/** Returns what reads the texts of one kind of account: it returns null when any part departs from the grammar. */
export function readerOf(rules: Grammar): (text: string) => SiweFields | null {
  const grammar = grammarOf(rules)
  return (text) => readFields(text.match(grammar)?.groups ?? {})
}

/** Reads an EIP-4361 message. */
export const parseSiwe = readerOf({
  account: 'Ethereum',
  address: '0x[0-9A-Fa-f]{40}',
  chain: '(?<chainId>[0-9]+)',
  gaps: ['\\n\\n'],
})

function readFields(groups: Partial<Record<string, string>>): SiweFields | null {
  const {
    scheme: before,
    domain,
    address,
    uri: about,
    nonce,
    statement: said = '',
    resources: list = '',
    ...times
  } = groups
  const chainId = groups['chainId'] === undefined ? undefined : Number(groups['chainId'])
  if (!domain || !address || !about || !nonce || (chainId !== undefined && !Number.isSafeInteger(chainId)))
    return null
  const issuedAt = parseDateTime(times['issuedAt'])
  const expirationTime = parseDateTime(times['expirationTime'])
  const notBefore = parseDateTime(times['notBefore'])
  if (issuedAt === undefined || [issuedAt, expirationTime, notBefore].some(Number.isNaN)) return null
  const fields = { domain, address, chainId, nonce, issuedAt, expirationTime, notBefore }
  const resources = list.split('\n- ').slice(1)
  return { scheme: before, uri: about, statement: said, resources, ...fields }
}

/** Returns the scheme and the host of an address, in small letters. */
export const siteOfUri = (address: string): string[] =>
  /^([^:]+):\/\/([^/?#]*)/.exec(address.toLowerCase())?.slice(1) ?? []

/** Returns true for a text that names one site in its URI, its domain and its scheme, where it has one. */
export function namesOneSite(text: Pick<SiweFields, 'domain' | 'scheme' | 'uri'>): boolean {
  const [ofUri, host] = siteOfUri(text.uri)
  return text.domain.toLowerCase() === host && (text.scheme ?? ofUri)?.toLowerCase() === ofUri
}

// The heading of every chain begins so: a text for a site with an account of any chain is never a free text.
const exactHeading = 'wants you to sign in with your'
const heading = roughLetters(exactHeading)
const labels = new Set(['URI', 'Version', 'Chain ID', 'Nonce', 'Issued At'].map(roughLetters))

/**
 * Returns true when a person or a careless wallet might think that the text is a sign-in of EIP-4361 or of another chain, well-formed or not: case,
 * white space, invisible characters, marks and letters that look like others make no difference.
 */
export function resemblesSiwe(text: string): boolean {
  // Most texts are the message of this service; comparing letters costs as much as the signature.
  if (text.includes(exactHeading) || roughLetters(text).includes(heading)) return true
  const lines = text.split(/[\n\r\v\f\x85\u2028\u2029]/)
  return lines.filter(isLabelled).length >= 3
}

function isLabelled(line: string): boolean {
  const [label, ...rest] = plainPunctuation(line.slice(0, 256)).split(':')
  return rest.length > 0 && labels.has(roughLetters(label!))
}

const dateTimeParts =
  /^(\d{4})-(\d\d)-(\d\d)t([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(\.\d+)?(?:z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i

/**
 * Returns milliseconds since 1970 of an RFC 3339 date-time; NaN when it names no real instant, undefined when absent.
 */
function parseDateTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const parts = text.match(dateTimeParts)
  if (!parts) return Number.NaN
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  // The calendar of JavaScript turns 30 February into 2 March.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return Number.NaN
  const offset = (parts[8] === '-' ? -1 : 1) * (Number(parts[9] ?? 0) * 60 + Number(parts[10] ?? 0))
  const seconds = (hour * 60 + minute - offset) * 60 + second + Number(parts[7] ?? 0)
  return date.getTime() + Math.trunc(seconds * 1000)
}

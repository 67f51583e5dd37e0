// Each parser reads the text of a setting. It returns the value, or throws an error whose message completes "NAME must be …" with
// the expected form.

import { mostChains } from '@parley/sdk/contract/service.ts'
import { isIP } from 'node:net'
import { databaseUrls } from '../values/database-urls.ts'
import { isEmail } from '../values/email.ts'
import { parseS3Access, type S3Access } from '../values/s3-access.ts'

/** This is a token bucket: its burst of requests, and its rate per second. */
export interface Rate {
  burst: number
  perSecond: number
}

/** This is the sender of a mail. */
export interface Mailbox {
  name: string
  address: string
}

const wrong = (expected: string): never => {
  throw new Error(expected)
}

export const text = (value: string): string => value

/** Parses a name or an IP address to listen on; an IPv6 address may have brackets. */
export const host = (value: string): string => {
  const bare = value.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) || !/[\s:/?#@[\]\\]/.test(bare)
    ? bare
    : wrong('a name or an IP address without a port, such as 127.0.0.1')
}

/** Parses items separated by commas; empty items are left out. */
export const list = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

/** Returns undefined when nothing is set. */
export const optional =
  <T>(parse: (value: string) => T) =>
  (value: string): T | undefined =>
    value === '' ? undefined : parse(value)

/** Parses one of two words; the first one means true. */
export const either =
  (yes: string, no: string) =>
  (value: string): boolean =>
    value === yes || value === no ? value === yes : wrong(`${yes} or ${no}`)

export const oneOf =
  (...words: string[]) =>
  (value: string): string =>
    words.includes(value) ? value : wrong(`one of ${words.join(', ')}`)

export const whole =
  (least: number, most: number) =>
  (value: string): number => {
    const number = Number(value)
    return /^\d+$/.test(value) && number >= least && number <= most
      ? number
      : wrong(`a whole number from ${least} to ${most}`)
  }

/** Parses `auto` or a whole number. */
export const autoOr =
  (parse: (value: string) => number) =>
  (value: string): number | 'auto' =>
    value === 'auto' ? value : parse(value)

export const secret =
  (least: number) =>
  (value: string): string =>
    Buffer.byteLength(value) >= least
      ? value
      : wrong(`at least ${least} bytes; for example the output of: openssl rand -hex 32`)

/** Parses a number from 0 to 1. */
export const share = (value: string): number => {
  const number = Number(value)
  if (value === '' || !(number >= 0 && number <= 1)) throw new Error('a number from 0 to 1')
  return number
}

/** Parses a secret that travels in a header. */
export const key = (value: string): string =>
  /^[\x21-\x7e]{32,}$/.test(value)
    ? value
    : wrong('at least 32 visible ASCII characters; for example the output of: openssl rand -hex 32')

/** Parses a secret that another service has issued. */
export const token = (value: string): string =>
  /^[\x21-\x7e]+$/.test(value) ? value : wrong('visible ASCII characters, as the other service gave it')

/** Parses a token of BotFather: the number of the bot, and a secret. */
export const botToken = (value: string): string =>
  /^\d{1,19}:[\w-]{30,100}$/.test(value) ? value : wrong('the token of a bot, as BotFather gave it')

/** Parses a project id of WalletConnect. */
export const projectId = (value: string): string =>
  /^[\da-f]{32}$/i.test(value) ? value : wrong('32 hexadecimal digits, as WalletConnect gave them')

/** Parses a URL with one of these protocols (`https:`); slashes at its end are cut. */
export const url =
  (...protocols: string[]) =>
  (value: string): string => {
    const ok = URL.canParse(value) && protocols.includes(new URL(value).protocol)
    return ok
      ? value.replace(/\/+$/, '')
      : wrong(`an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
  }

/** Parses a URL of PostgreSQL, which may have several hosts. */
export const database = (value: string): string => {
  try {
    databaseUrls(value)
    return value
  } catch {
    return wrong(
      'an address of PostgreSQL, such as postgres://user:password@host:5432/parley, or postgres://user:password@one:5432,two:5432/parley?target_session_attrs=read-write',
    )
  }
}

/** Parses the address of a scanner. */
export const scanner = (value: string): string => {
  const found = URL.parse(value)
  return found?.protocol === 'tcp:' &&
    found.hostname &&
    found.port &&
    /^\/?$/.test(found.pathname + found.search + found.hash)
    ? `tcp://${found.host}`
    : wrong('the address of clamd, such as tcp://127.0.0.1:3310')
}

/** Parses the address of a bucket of an S3-compatible service, with the key that may use it. */
export const s3 = (value: string): S3Access =>
  parseS3Access(value) ??
  wrong(
    'the address of a bucket with its access key, such as https://KEY:SECRET@s3.example.org/bucket?region=eu-central-1; write / in the secret as %2F, + as %2B, @ as %40 and % as %25',
  )

/** Parses a scheme and a host, and nothing else: the address by which people reach a service. */
export const site = (value: string): string => {
  const found = URL.canParse(value) ? new URL(value) : undefined
  return found && /^https?:$/.test(found.protocol) && `${found.origin}/` === found.href
    ? found.origin
    : wrong('http:// or https:// and a host, such as https://chat.example.org, without user, path or query')
}

/** Parses `*` or exact origins. */
export const origins = (value: string): '*' | string[] => {
  if (value === '*') return '*'
  for (const origin of list(value))
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      wrong('* or exact origins with commas between, such as https://example.org,https://app.example.org')
  return list(value)
}

/** Parses addresses of contracts, and returns them in lower case. */
export const contracts = (value: string): string[] =>
  list(value).map((contract) =>
    /^0x[\da-f]{40}$/i.test(contract)
      ? contract.toLowerCase()
      : wrong('addresses of contracts with commas between, each 0x and 40 hexadecimal digits'),
  )

/** Parses words of people: each has a letter, and there are a hundred at most. */
export const words = (value: string): string[] => {
  const found = list(value)
  if (
    found.length > 100 ||
    found.some((word) => word.length > 64 || !/\p{L}/u.test(word) || /\p{C}/u.test(word))
  )
    wrong('words with commas between: at most 100, each of up to 64 characters, with letters')
  return found
}

/** Parses exact origins of the web, written as browsers send them. */
export const sites = (value: string): string[] => {
  for (const origin of list(value))
    if (!/^https?:/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
      wrong('exact origins with commas between, such as https://shop.example,https://app.example.org')
  return list(value)
}

export const networks = (value: string): string[] => {
  for (const network of list(value)) {
    const [address = '', bits = '0', rest] = network.split('/')
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    if (rest !== undefined || !/^\d+$/.test(bits) || Number(bits) > most)
      wrong('IP addresses or networks with commas between, such as 10.0.0.0/8,::1')
  }
  return list(value)
}

export const mailbox = (value: string): Mailbox => {
  const [, name = '', address = ''] =
    /^(?:([^<>"\p{C}]*)\s*<([^<>]+)>|)$/u.exec(value.includes('<') ? value : `<${value}>`) ?? []
  return isEmail(address)
    ? { name: name.trim(), address }
    : wrong('an e-mail address, such as no-reply@example.org or Parley <no-reply@example.org>')
}

/** Parses a JSON object with an RPC address for each chain id. */
export const rpcAddresses = (value: string): Record<string, string> => {
  const expected = `JSON with an RPC address for each chain id, such as {"1":"https://rpc.example.org"}, of ${mostChains} chains at most`
  let parsed: unknown
  try {
    parsed = JSON.parse(value)
  } catch {
    return wrong(expected)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return wrong(expected)
  if (Object.keys(parsed).length > mostChains) return wrong(expected)
  const http = url('http:', 'https:')
  return Object.fromEntries(
    Object.entries(parsed).map(([chain, address]) =>
      /^[1-9]\d{0,15}$/.test(chain) && typeof address === 'string' ? [chain, http(address)] : wrong(expected),
    ),
  )
}

/** Parses a token bucket: `300,50` is a burst of 300 and a rate of 50 per second. */
export const rate = (value: string): Rate => {
  const [, burst, perSecond] = /^([1-9]\d{0,8}),(\d{1,6}(?:\.\d{1,3})?)$/.exec(value) ?? []
  return burst && Number(perSecond) > 0
    ? { burst: Number(burst), perSecond: Number(perSecond) }
    : wrong('how many at once and how many a second, such as 300,50')
}

/** Parses the part of a field name that an operator may choose. */
export const fieldSegment = (value: string): string =>
  /^[a-z][a-z0-9]{0,31}$/.test(value) ? value : wrong('1 to 32 lower-case letters and digits, a letter first')

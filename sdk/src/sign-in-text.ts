// This is the text that a wallet signs to sign in (EIP-4361; CAIP-122 for Solana), and what it lets a site do, for all who make it.

import { accountOf } from './accounts.ts'

/**
 * What a site may ask for, in the words that a wallet shows. A form has `<…>` where a scope is for one wallet, chat or NFT alone.
 * Longer forms come before those that they begin with.
 */
const wordsOf: Readonly<Record<string, string>> = {
  'dm:read:<address>': 'read your messages with <address>',
  'dm:send:<address>': 'answer <address> as you',
  'dm:<address>': 'read your messages with <address> and write to them as you',
  'chat:<chat>:read': 'read the chat <chat>',
  'chat:<chat>:post': 'post in the chat <chat> as you',
  'chat:<chat>': 'read the chat <chat>, join it and post in it as you',
  'comments:<contract>:<token>': 'read the comments on token <token> of <contract> and comment there as you',
  'inbox:read': 'read all your messages and your chats',
  'inbox:write': 'mark all your messages as read, join and leave chats',
  'dm:send': 'answer all who have written to you',
  'dm:begin': 'write to anyone as you',
  'chat:read': 'read all chats that you may read',
  'chat:post': 'post in all chats as you',
  'message:edit': 'change messages that you have sent',
  'reaction:write': 'react to messages as you',
  'pin:write': 'pin messages as you',
  'announce:write': 'announce your posts to members of your chats',
  'profile:write': 'change your name and your picture',
  'public:read': 'read what every wallet may read',
}

const patterns: Readonly<Record<string, string>> = {
  '<address>': '(0x[\\da-fA-F]{40}|[A-Za-z\\d]{26,128})',
  '<chat>': '(\\S+)',
  '<contract>': '([^\\s:]+)',
  '<token>': '(0|[1-9]\\d{0,77})',
}
const made = new Map<string, RegExp>()

function regexOf(form: string): RegExp {
  // A chat at the end has no colon, or `chat:town:pots` would be a chat.
  const text = form.replace(/<chat>$/, '([^\\s:]+)').replace(/<\w+>/g, (name) => patterns[name]!)
  const regex = made.get(form) ?? new RegExp(`^${text}$`, 'u')
  made.set(form, regex)
  return regex
}

/** Returns the values of a scope in the form, such as the address of `dm:<address>`; undefined when it has another form. */
export const valuesOfForm = (form: string, scope: string): string[] | undefined =>
  regexOf(form).exec(scope)?.slice(1)

/** Returns the form of a scope that a site may ask for, and its values. */
function read(scope: string): { form: string; values: string[] } | undefined {
  if (!scope.includes('<') && Object.hasOwn(wordsOf, scope)) return { form: scope, values: [] }
  for (const form of Object.keys(wordsOf)) {
    const values = form.includes('<') ? valuesOfForm(form, scope) : undefined
    if (values) return { form, values }
  }
  return undefined
}

/**
 * Makes a scope for one wallet, chat or NFT: `narrowScope('chat:<chat>:read', 'town')`. It throws where the text would be another
 * scope, such as `chat:read`, which is for all chats.
 */
export function narrowScope(form: string, ...values: string[]): string {
  const rest = [...values]
  const scope = form.replace(/<\w+>/g, () => rest.shift() ?? '')
  const found = read(scope)
  if (found?.form !== form || found.values.join('\n') !== values.join('\n'))
    throw new Error(`"${scope}" is not a scope of the form ${form}.`)
  return scope
}

/** The statement of EIP-4361 has few characters: others are written as in a URL, with = in place of %. */
export const spelt = (value: string) => encodeURIComponent(value).replaceAll('%', '=')

export const beginning = (domain: string) => `Lets ${domain} use Parley as you for 24 hours, for this alone: `

/** Says what a site may do after the sign-in, in words. Each scope must be one that a site may ask for. */
export function scopeStatement(domain: string, scopes: readonly string[]): string {
  const parts = scopes.map((scope) => {
    const words = scopeWords(scope)
    if (words === undefined) throw new Error(`"${scope}" is no scope that a site may ask for.`)
    return words
  })
  return `${beginning(domain)}${parts.join('; ')}.`
}

/** Says what one scope lets a site do, as the wallet shows it; undefined for what no site may ask for. */
export function scopeWords(scope: string): string | undefined {
  const { form = '', values = [] } = read(scope) ?? {}
  const names = form.match(/<\w+>/g) ?? []
  return names.reduce<string | undefined>(
    (words, name, place) => words?.replaceAll(name, () => spelt(values[place]!)),
    wordsOf[form],
  )
}

const prefix = 'parley:scope:'
const toResource = (scope: string) => prefix + encodeURIComponent(scope).replaceAll('%3A', ':')

/** A text has this many scopes at most. */
export const mostScopes = 10

/** What the text says without scopes: the site may do all. */
export const fullStatement = 'Sign in to Parley.'

export interface SignInTextOptions {
  /** The host of the page on which the wallet signs, with its port: `location.host`. */
  domain: string
  /** The address of that page: `location.href`, or its origin. */
  uri: string
  /** The wallet: of Ethereum best with the upper and lower case letters of EIP-55, which some wallets ask for. */
  address: string
  /** The chain of a smart wallet; 1 when left out. A text for Solana has none of these. */
  chainId?: number
  /** The nonce of `GET /users/{address}/nonce`. */
  nonce: string
  /** What the site may do, such as `dm:0x…`; all when left out, which a site of `EMBED_ORIGINS` may not ask for. */
  scopes?: readonly string[]
  /** A time of RFC 3339; now when left out. */
  issuedAt?: string
  /** A time of RFC 3339 after which the text signs nobody in. */
  expirationTime?: string
}

/**
 * Makes the text that a wallet signs to sign in: of EIP-4361, or of CAIP-122 for an address of Solana.
 * @example
 * const text = signInText({
 *   domain: 'shop.example',
 *   uri: 'https://shop.example',
 *   address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
 *   nonce: '6a1f4d2c9f86d081884c7d65',
 *   scopes: ['dm:0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb'],
 * })
 */
export function signInText(options: SignInTextOptions): string {
  const { domain, scopes } = options
  if (scopes && (scopes.length === 0 || scopes.length > mostScopes))
    throw new Error(`A sign-in has 1 to ${mostScopes} scopes; without the option it may do all.`)
  const { name, chain } = accountOf(options.address) ?? {}
  return textWith(scopes ? scopeStatement(domain, scopes) : fullStatement, options, name, chain)
}

/** Writes a text with a statement that says what the scopes do, for an account of Ethereum when no other kind is given. */
export function textWith(
  statement: string,
  options: SignInTextOptions,
  name = 'Ethereum',
  chain = `${options.chainId ?? 1}`,
): string {
  const { domain, uri, address, nonce, scopes, expirationTime } = options
  const lines = [
    `${domain} wants you to sign in with your ${name} account:`,
    address,
    '',
    statement,
    '',
    // A fragment and a query may hold what is not for a text that is sent.
    `URI: ${uri.replace(/[?#].*$/s, '')}`,
    'Version: 1',
    `Chain ID: ${chain}`,
    `Nonce: ${nonce}`,
    `Issued At: ${options.issuedAt ?? new Date().toISOString()}`,
    ...(expirationTime ? [`Expiration Time: ${expirationTime}`] : []),
    ...(scopes ? ['Resources:', ...scopes.map((scope) => `- ${toResource(scope)}`)] : []),
  ]
  return lines.join('\n')
}

/** What a text asks for: `scopes`, undefined for all; or the problem with it. */
export type Asked = { scopes: string[] | undefined } | { problem: string }

/** Returns what the resources and the statement of a text ask for. Both have to say the same. */
export function readAsked(domain: string, statement: string, resources: readonly string[]): Asked {
  const ours = resources.filter((resource) => /^parley:/i.test(resource))
  if (ours.length === 0)
    return /\buse parley as you\b/i.test(statement)
      ? { problem: 'The statement says what a site may do, and no resource of the text says it.' }
      : { scopes: undefined }
  if (ours.length < resources.length)
    return { problem: `A text with scopes has no other resources: leave out all without ${prefix}.` }
  if (ours.length > mostScopes) return { problem: `A text has ${mostScopes} scopes at most.` }
  const scopes: string[] = []
  for (const resource of ours) {
    const scope = fromResource(resource)
    if (scope === undefined)
      return { problem: `${resource} is no scope that a site may ask for, such as ${prefix}dm:<address>.` }
    scopes.push(scope)
  }
  const right = scopeStatement(domain, scopes)
  return statement === right
    ? { scopes }
    : { problem: `The statement does not say what the resources ask for. It must be: ${right}` }
}

function fromResource(resource: string): string | undefined {
  try {
    const scope = decodeURIComponent(resource.slice(prefix.length))
    return read(scope) && toResource(scope) === resource ? scope : undefined
  } catch {
    return undefined
  }
}

const grammar =
  /^(\S+) wants you to sign in with your \w+ account:\n(\w+)\n\n([^\n]*)\n\nURI: (\S+)\nVersion: 1\nChain ID: (\w+)\nNonce: ([A-Za-z\d]+)\nIssued At: (\S+)(?:\nExpiration Time: (\S+))?(?:\nResources:((?:\n- \S+)+))?$/

/** Reads a text as `signInText` makes it; undefined for every other text. */
export function parseSignInText(text: string): SignInTextOptions | undefined {
  const [
    ,
    domain = '',
    address = '',
    statement = '',
    uri = '',
    chain = '',
    nonce = '',
    issuedAt = '',
    until,
    list,
  ] = grammar.exec(text) ?? []
  const asked = readAsked(domain, statement, list?.slice(3).split('\n- ') ?? [])
  if (!accountOf(address) || 'problem' in asked) return undefined
  const fields: SignInTextOptions = {
    domain,
    uri,
    address,
    ...(/^\d+$/.test(chain) && { chainId: Number(chain) }),
    nonce,
    issuedAt,
    ...(until !== undefined && { expirationTime: until }),
    ...(asked.scopes && { scopes: asked.scopes }),
  }
  return signInText(fields) === text ? fields : undefined
}

import { isIP } from 'node:net'
import { isEmail } from '../values/email.ts'

export interface Config {
  port: number
  host: string
  dataDir: string
  publicUrl: string
  databaseUrl: string | undefined
  allowUnsafeDb: boolean
  databasePoolSize: number
  /** How many requests may wait for a database connection at once. */
  databaseQueue: number
  /** Shows /metrics to whoever has it. */
  metricsToken: string | undefined
  /** Connections at once; more are closed. */
  maxConnections: number
  /** Seconds a request's headers may take to arrive, and all of it. */
  headersTimeout: number
  requestTimeout: number
  /** Seconds in which the service says that it ends and still takes requests, when told to by SIGTERM. */
  drainSeconds: number
  /** Seconds that requests under way have to end after that. */
  shutdownSeconds: number
  /** From the environment; `main.ts` fills in the one kept in the data directory. */
  jwtSecret: string | undefined
  /** Still accepted, no longer used to sign. */
  jwtSecretPrevious: string | undefined
  adminApiKey: string | undefined
  allowedDomains: string[]
  signinRequireSiwe: boolean
  /** `*`, or the exact origins that may call. */
  corsOrigins: '*' | string[]
  trustedProxies: string[]
  /** JSON-RPC endpoint by chain id. */
  rpcUrls: Record<string, string>
  xApiUrl: string
  xBearerToken: string | undefined
  /** Where mails are handed in; without it they are only noted in the log. */
  smtpUrl: string | undefined
  mailFrom: Mailbox
  /** Whether people who are no developers use this: then links of mails are kept out of the log. */
  production: boolean
  encryptionVendor: string
  /** Whether requests are counted at all. */
  rateLimits: boolean
  readLimit: Rate
  writeLimit: Rate
  accountLimit: Rate
  /** How many times a wallet's budget all signed-in wallets of one network address have together. */
  ipLimitFactor: number
  /** Failed sign-ins for one wallet from one network address in 15 minutes. */
  failedSignIns: number
  /** Confirmation mails a wallet may ask for in an hour, and an address may get in a day. */
  mailsOfWallet: number
  mailsToAddress: number
  logLevel: string
}

/** What may be done at once, and how fast that comes back. */
export interface Rate {
  burst: number
  perSecond: number
}

/** A sender of mails. */
export interface Mailbox {
  name: string
  address: string
}

interface Setting<T> {
  name: string
  description: string
  /** Shown in `--help`. */
  fallback: string
  parse: (value: string) => T
}

type Env = Record<string, string | undefined>

/** Thrown by a parser; the message says what a right value looks like. */
const wrong = (expected: string): never => {
  throw new Error(expected)
}

const setting = <T>(
  name: string,
  fallback: string,
  description: string,
  parse: (value: string) => T,
): Setting<T> => ({
  name,
  fallback,
  description,
  parse,
})

const text = (value: string) => value
const list = (value: string) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
const flag = (value: string) =>
  value === 'true' ? true : value === 'false' || value === '' ? false : wrong('true or false')
const optional =
  <T>(parse: (value: string) => T) =>
  (value: string): T | undefined =>
    value === '' ? undefined : parse(value)

const whole = (least: number, most: number) => (value: string) => {
  const number = Number(value)
  return /^\d+$/.test(value) && number >= least && number <= most
    ? number
    : wrong(`a whole number from ${least} to ${most}`)
}

const secret = (least: number) => (value: string) =>
  Buffer.byteLength(value) >= least
    ? value
    : wrong(`at least ${least} bytes; for example the output of: openssl rand -hex 32`)

/** A secret that travels in a header. */
const key = (value: string) =>
  /^[\x21-\x7e]{32,}$/.test(value)
    ? value
    : wrong('at least 32 visible ASCII characters; for example the output of: openssl rand -hex 32')

const token = (value: string) =>
  /^[\x21-\x7e]+$/.test(value) ? value : wrong('visible ASCII characters, as the other service gave it')

const url = (protocols: string[]) => (value: string) => {
  const ok = URL.canParse(value) && protocols.includes(new URL(value).protocol)
  return ok
    ? value.replace(/\/+$/, '')
    : wrong(`an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`)
}

const origins = (value: string) => {
  if (value === '*') return '*' as const
  for (const origin of list(value))
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      wrong('* or exact origins with commas between, such as https://example.org,https://app.example.org')
  return list(value)
}

const networks = (value: string) => {
  for (const network of list(value)) {
    const [address = '', bits = '0', rest] = network.split('/')
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    if (rest !== undefined || !/^\d+$/.test(bits) || Number(bits) > most)
      wrong('IP addresses or networks with commas between, such as 10.0.0.0/8,::1')
  }
  return list(value)
}

const mailbox = (value: string): Mailbox => {
  const [, name = '', address = ''] =
    /^(?:([^<>"\p{C}]*)\s*<([^<>]+)>|)$/u.exec(value.includes('<') ? value : `<${value}>`) ?? []
  return isEmail(address)
    ? { name: name.trim(), address }
    : wrong('an e-mail address, such as no-reply@example.org or Parley <no-reply@example.org>')
}

const rpcUrls = (value: string) => {
  const expected = 'JSON with an RPC address for each chain id, such as {"1":"https://rpc.example.org"}'
  let parsed: unknown
  try {
    parsed = JSON.parse(value)
  } catch {
    return wrong(expected)
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return wrong(expected)
  const http = url(['http:', 'https:'])
  return Object.fromEntries(
    Object.entries(parsed).map(([chain, address]) =>
      /^[1-9]\d*$/.test(chain) && typeof address === 'string' ? [chain, http(address)] : wrong(expected),
    ),
  )
}

const rate = (value: string): Rate => {
  const [, burst, perSecond] = /^([1-9]\d{0,8}),(\d{1,6}(?:\.\d{1,3})?)$/.exec(value) ?? []
  return burst && Number(perSecond) > 0
    ? { burst: Number(burst), perSecond: Number(perSecond) }
    : wrong('how many at once and how many a second, such as 300,50')
}

/** Every setting of the service: the one place that knows the environment. */
const settings = {
  port: setting('PORT', '8080', 'port to listen on', whole(0, 65535)),
  host: setting('HOST', '127.0.0.1', 'address to listen on; 0.0.0.0 for all', text),
  dataDir: setting('DATA_DIR', './data', 'directory of the embedded database and the generated secret', text),
  publicUrl: setting(
    'PUBLIC_URL',
    '',
    'address people reach the service at; http://HOST:PORT when empty',
    optional(url(['http:', 'https:'])),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    'PostgreSQL 15 or later, instead of the embedded one',
    optional(url(['postgres:', 'postgresql:'])),
  ),
  allowUnsafeDb: setting(
    'ALLOW_UNSAFE_DB',
    'false',
    'true to start on a database with fsync or synchronous_commit off',
    flag,
  ),
  databasePoolSize: setting('DATABASE_POOL_SIZE', '16', 'database connections at most', whole(2, 1000)),
  databaseQueue: setting(
    'DATABASE_QUEUE',
    '10000',
    'requests that may wait for a database connection at once',
    whole(0, 1_000_000),
  ),
  metricsToken: setting(
    'METRICS_TOKEN',
    '',
    'shows /metrics (Prometheus) to whoever sends it as a bearer token; no metrics when empty',
    optional(key),
  ),
  maxConnections: setting(
    'MAX_CONNECTIONS',
    '20000',
    'connections at once; more are closed',
    whole(1, 10_000_000),
  ),
  headersTimeout: setting(
    'HEADERS_TIMEOUT',
    '10',
    'seconds that the headers of a request may take to arrive',
    whole(1, 3600),
  ),
  requestTimeout: setting(
    'REQUEST_TIMEOUT',
    '60',
    'seconds that a whole request may take to arrive',
    whole(1, 3600),
  ),
  drainSeconds: setting(
    'DRAIN_SECONDS',
    '1',
    'after SIGTERM, seconds in which /readyz says 503 and requests are still taken',
    whole(0, 600),
  ),
  shutdownSeconds: setting(
    'SHUTDOWN_SECONDS',
    '8',
    'seconds that requests under way then have to end',
    whole(0, 600),
  ),
  jwtSecret: setting(
    'JWT_SECRET',
    '',
    'secret that signs tokens; generated and kept in DATA_DIR when empty',
    optional(secret(32)),
  ),
  jwtSecretPrevious: setting(
    'JWT_SECRET_PREVIOUS',
    '',
    'the secret before JWT_SECRET, still accepted: for changing it without signing anybody out',
    optional(secret(32)),
  ),
  adminApiKey: setting(
    'ADMIN_API_KEY',
    '',
    'key for server-side integrations; none when empty',
    optional(key),
  ),
  allowedDomains: setting(
    'ALLOWED_DOMAINS',
    '',
    'domains a sign-in text may name; the host of PUBLIC_URL when empty',
    list,
  ),
  signinRequireSiwe: setting(
    'SIGNIN_REQUIRE_SIWE',
    'false',
    'true to accept only EIP-4361 sign-in texts',
    flag,
  ),
  corsOrigins: setting('CORS_ORIGINS', '*', 'origins that may call from a browser', origins),
  trustedProxies: setting('TRUSTED_PROXIES', '', 'proxies whose X-Forwarded-For counts', networks),
  rpcUrls: setting('RPC_URLS', '{}', 'JSON-RPC address of each chain, as JSON', rpcUrls),
  xApiUrl: setting('X_API_URL', 'https://api.x.com', 'where the X API v2 is', url(['http:', 'https:'])),
  xBearerToken: setting(
    'X_BEARER_TOKEN',
    '',
    'token of the X API, to show the posts of communities; none when empty',
    optional(token),
  ),
  smtpUrl: setting(
    'SMTP_URL',
    '',
    'mail server, such as smtp://user:password@mail.example.org:587; mails are only logged when empty',
    optional(url(['smtp:', 'smtps:'])),
  ),
  mailFrom: setting(
    'MAIL_FROM',
    '',
    'sender of mails; Parley <no-reply@ the host of PUBLIC_URL> when empty',
    optional(mailbox),
  ),
  production: setting(
    'NODE_ENV',
    '',
    'production keeps the links of mails that are only logged out of the log',
    (value) => value === 'production',
  ),
  encryptionVendor: setting(
    'ENCRYPTION_VENDOR',
    'x',
    'the segment x in the names of the encryption fields',
    (value) =>
      /^[a-z][a-z0-9]{0,31}$/.test(value)
        ? value
        : wrong('1 to 32 lower-case letters and digits, a letter first'),
  ),
  rateLimits: setting('RATE_LIMITS', 'on', 'off to count no requests', (value) =>
    value === 'on' || value === 'off' ? value === 'on' : wrong('on or off'),
  ),
  readLimit: setting('LIMIT_READS', '300,50', 'reads of a wallet: at once, a second', rate),
  writeLimit: setting('LIMIT_WRITES', '300,20', 'writes of a wallet: at once, a second', rate),
  accountLimit: setting(
    'LIMIT_ACCOUNT',
    '60,1',
    'bookmarks, names, pictures, communities and settings a wallet writes: at once, a second',
    rate,
  ),
  ipLimitFactor: setting(
    'LIMIT_IP_FACTOR',
    '10',
    'how many times that all signed-in wallets of one network address have together',
    whole(1, 1_000_000),
  ),
  failedSignIns: setting(
    'LIMIT_FAILED_SIGN_INS',
    '10',
    'failed sign-ins for one wallet from one network address in 15 minutes',
    whole(1, 1000),
  ),
  mailsOfWallet: setting(
    'LIMIT_MAILS_OF_WALLET',
    '3',
    'confirmation mails a wallet may ask for in an hour',
    whole(1, 1000),
  ),
  mailsToAddress: setting(
    'LIMIT_MAILS_TO_ADDRESS',
    '5',
    'confirmation mails an address may get in a day',
    whole(1, 1000),
  ),
  logLevel: setting('LOG_LEVEL', 'info', 'trace, debug, info, warn, error, fatal or silent', (value) =>
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'].includes(value)
      ? value
      : wrong('one of trace, debug, info, warn, error, fatal, silent'),
  ),
}

/**
 * Reads every setting, or throws one error that lists all that is wrong and what a right value looks like.
 * An empty variable counts as not set.
 */
export function readConfig(env: Env = process.env): Config {
  const problems: string[] = []
  const values = Object.fromEntries(
    Object.entries(settings).map(([field, { name, fallback, parse }]) => {
      try {
        return [field, parse(env[name] || fallback)]
      } catch (error) {
        problems.push(`  ${name} must be ${(error as Error).message}`)
        return [field, undefined]
      }
    }),
  ) as { [Key in keyof typeof settings]: ReturnType<(typeof settings)[Key]['parse']> }
  if (problems.length > 0) throw new Error(`These settings are not usable:\n${problems.join('\n')}`)

  const publicUrl =
    values.publicUrl ??
    `http://${values.host.includes(':') ? `[${values.host}]` : values.host}:${values.port}`
  const allowedDomains = values.allowedDomains.length > 0 ? values.allowedDomains : [new URL(publicUrl).host]
  const mailFrom = values.mailFrom ?? defaultSender(publicUrl)
  return { ...values, publicUrl, allowedDomains, mailFrom }
}

function defaultSender(publicUrl: string): Mailbox {
  const { hostname } = new URL(publicUrl)
  return {
    name: 'Parley',
    address: `no-reply@${isIP(hostname.replace(/[[\]]/g, '')) ? 'localhost' : hostname}`,
  }
}

/** Whether any chain can be asked. What asks them is loaded only then: it is much, and many services never need it. */
export const hasChains = (config: Pick<Config, 'rpcUrls'>): boolean => Object.keys(config.rpcUrls).length > 0

/** The table of settings, a line each, for `--help`. */
export const describeSettings = () =>
  Object.values(settings)
    .map(
      ({ name, fallback, description }) =>
        `  ${name.padEnd(23)} ${description}${fallback && ` (${fallback})`}`,
    )
    .join('\n')

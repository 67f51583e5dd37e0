import { isIP } from 'node:net'
import type { Mailbox } from './parsers.ts'
import type { Resolved } from './setting.ts'
import { settings } from './table.ts'

/** This is the value of every setting of the table. `publicUrl` and `mailFrom` follow from others when they are not set. */
export type Config = Resolved<typeof settings> & { publicUrl: string; mailFrom: Mailbox }

/**
 * Reads every setting, or throws one error that lists each wrong value and the expected form. An empty variable counts as not
 * set.
 */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
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
  ) as Resolved<typeof settings>
  if (problems.length > 0) throw new Error(`These settings are not usable:\n${problems.join('\n')}`)

  const publicUrl = values.publicUrl ?? urlHere(values)
  if (!URL.canParse(publicUrl))
    throw new Error(`PUBLIC_URL must be set, since HOST "${values.host}" cannot stand in an address to open.`)
  const { mediaUrl } = values
  if (mediaUrl !== undefined && new URL(mediaUrl).hostname === new URL(publicUrl).hostname)
    throw new Error('MEDIA_URL must have another host than PUBLIC_URL: that one answers nothing but files.')
  const allowedDomains = values.allowedDomains.length > 0 ? values.allowedDomains : [new URL(publicUrl).host]
  const own = mediaUrl === undefined ? [] : [new URL(publicUrl).origin]
  const corsOrigins = withSites(values.corsOrigins, [...own, ...values.embedOrigins])
  return {
    ...values,
    publicUrl,
    allowedDomains,
    corsOrigins,
    mailFrom: values.mailFrom ?? defaultSender(publicUrl),
  }
}

/** The page of the service fetches files from MEDIA_URL as a page of another site does. Sites of EMBED_ORIGINS call too. */
const withSites = (origins: '*' | string[], others: string[]): '*' | string[] =>
  origins === '*' ? origins : [...new Set([...origins, ...others])]

/**
 * Returns the address at which this machine reaches the service. When the service listens on every address, a browser cannot open
 * that, but this machine reaches it at 127.0.0.1.
 */
export const urlHere = ({ host, port }: Pick<Config, 'host' | 'port'>): string =>
  `http://${isEveryAddress(host) ? '127.0.0.1' : bracketed(host)}:${port}`

/** `URL` parses every spelling of an address (`0`, `0x0`, `0:0::0`) into these forms. */
export const isEveryAddress = (host: string): boolean =>
  ['0.0.0.0', '[::]', '[::ffff:0:0]'].includes(URL.parse(`http://${bracketed(host)}`)?.hostname ?? '')

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

function defaultSender(publicUrl: string): Mailbox {
  const { hostname } = new URL(publicUrl)
  return {
    name: 'Parley',
    address: `no-reply@${isIP(hostname.replace(/[[\]]/g, '')) ? 'localhost' : hostname}`,
  }
}

/** Returns true when only this machine can open the address of the service. */
export const isLocal = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean =>
  /^(.+\.)?localhost$|^127(\.\d+){3}$|^0\.0\.0\.0$|^\[::1?\]$/.test(new URL(publicUrl).hostname)

/** Returns true when a chain is configured. The code that reads chains is large, so callers import it only then. */
export const hasChains = (config: Pick<Config, 'rpcUrls'>): boolean => Object.keys(config.rpcUrls).length > 0

import { isIP } from 'node:net'
import type { Mailbox } from './parsers.ts'
import type { Resolved } from './setting.ts'
import { settings } from './table.ts'

/**
 * The value of every setting of the table. `publicUrl` and `mailFrom` follow from others when they
 * are not set.
 */
export type Config = Resolved<typeof settings> & { publicUrl: string; mailFrom: Mailbox }

/**
 * Reads every setting, or throws one error that lists all that is wrong and what a right value
 * looks like. An empty variable counts as not set.
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

  const publicUrl = values.publicUrl ?? defaultUrl(values)
  const allowedDomains = values.allowedDomains.length > 0 ? values.allowedDomains : [new URL(publicUrl).host]
  return { ...values, publicUrl, allowedDomains, mailFrom: values.mailFrom ?? defaultSender(publicUrl) }
}

const defaultUrl = ({ host, port }: { host: string; port: number }) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

function defaultSender(publicUrl: string): Mailbox {
  const { hostname } = new URL(publicUrl)
  return {
    name: 'Parley',
    address: `no-reply@${isIP(hostname.replace(/[[\]]/g, '')) ? 'localhost' : hostname}`,
  }
}

/** Whether only this machine can open the address of the service. */
export const isLocal = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean =>
  /^(.+\.)?localhost$|^127(\.\d+){3}$|^0\.0\.0\.0$|^\[::1?\]$/.test(new URL(publicUrl).hostname)

/**
 * Whether any chain is configured. The code that reads chains is large, so callers import it only
 * then.
 */
export const hasChains = (config: Pick<Config, 'rpcUrls'>): boolean => Object.keys(config.rpcUrls).length > 0

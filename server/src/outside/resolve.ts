import { promises as dns } from 'node:dns'

export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>

/**
 * All addresses of a name, of IPv4 and IPv6, from name servers: those of the system, or others. It asks by itself, because the
 * system's resolver blocks one of four threads that all share, and it keeps nothing: a resolver of its own has no memory.
 */
export const resolveBy =
  (servers?: string[]): Resolve =>
  async (host, signal) => {
    const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel)
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

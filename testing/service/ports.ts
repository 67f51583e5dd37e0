import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Returns a free TCP port of 127.0.0.1. It is below 32768, since the system gives out the ports above to any connection, and above
 * 10080, which browsers and `fetch` refuse (WHATWG Fetch, "bad port").
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 10_100 + Math.floor(Math.random() * 22_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}

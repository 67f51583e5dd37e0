import type { Client } from '@parley/sdk'

/** Returns a client that adds the name of each endpoint it calls. */
export const recordingCalls = (client: Client, called: Set<string>): Client =>
  new Proxy(client, {
    get(of, name: keyof Client) {
      called.add(name)
      return of[name]
    },
  })

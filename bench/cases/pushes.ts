// These are sends for which half the recipients get pushes, compared with those for which nobody does.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { createClient } from '@parley/sdk'
import { newBrowser } from '../../testing/people/push-browser.ts'
import type { Access } from '../service/access.ts'
import type { Case } from './case.ts'
import { somePairs } from './targets.ts'
import { sending } from './writes.ts'

const count = 1000

/** Starts a push service that accepts all pushes, in this process, and the browsers of a thousand recipients. */
async function subscribe(access: Access): Promise<void> {
  const [host, port] = access.pushHost.split(':') as [string, string]
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(201).end()
  })
  server.listen(Number(port), host).unref()
  await once(server, 'listening')
  const recipients = somePairs(access)
    .slice(0, count)
    .map(([, to]) => to)
  for (const [n, wallet] of recipients.entries()) {
    const client = createClient({ baseUrl: access.publicUrl, token: await access.token(wallet) })
    await client.putPushSubscription({ body: newBrowser(`http://${access.pushHost}/${n}`).subscription })
  }
}

export const sendingWithPushes: Case = {
  ...sending(32),
  name: 'send-pushes',
  about: `the same, of which ${count.toLocaleString('en')} recipients get pushes: see send-32`,
  prepare: subscribe,
}

// This is a server on loopback that accepts webhooks, and answers as a test says.

import { createPublicKey, verify } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { newWallet, type Service, startService } from '../service/service.ts'

export interface Received {
  headers: Record<string, string>
  body: string
}

/** A status, or more of a response; `drop` ends the connection without one. */
type Answer = number | 'drop' | ((response: ServerResponse) => void)

export async function startReceiver() {
  const received: Received[] = []
  let answer = (_received: Received, _times: number): Answer => 200
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const got = { headers: request.headers as Record<string, string>, body }
    received.push(got)
    const id = got.headers['webhook-id']
    const by = answer(got, received.filter(({ headers }) => headers['webhook-id'] === id).length)
    if (by === 'drop') request.socket.destroy()
    else if (typeof by === 'function') by(response)
    else response.writeHead(by, { location: 'http://127.0.0.1:1/' }).end('thrown away')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    received,
    answerBy: (next: typeof answer) => void (answer = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Told {
  type: string
  data: { id?: number; fromaddr?: string; toaddr?: string; nftaddr?: string; word?: string; text?: string }
}

/** Returns what the deliveries said, without what each delivery has. */
export const toldBy = (received: Received[]) =>
  received.map(({ body }) => {
    const { type, data } = JSON.parse(body) as Told
    return { type, data }
  })

/** Returns true when the ed25519 signature of a delivery is by the public key of its webhook. */
export function isSignedBy(publicKey: string, { headers, body }: Received): boolean {
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signatures = headers['webhook-signature']!.matchAll(/v1a,(\S+)/g)
  const x = Buffer.from(publicKey.replace('whpk_', ''), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return [...signatures].some(([, signature]) =>
    verify(null, Buffer.from(content), key, Buffer.from(signature!, 'base64')),
  )
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

/**
 * Starts a service and a receiver of its webhooks for all tests of a file, which are there once its tests run. Each test begins
 * with 200.
 */
export function useWebhookSite(options: Parameters<typeof startService>[0] = {}) {
  let started: { receiver: Receiver; service: Service } | undefined
  beforeAll(async () => {
    const receiver = await startReceiver()
    started = {
      receiver,
      service: await startService({ privateWebhookHosts: [receiver.host], ...options }),
    }
  })
  afterAll(async () => {
    await started?.service[Symbol.asyncDispose]()
    await started?.receiver[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    const { receiver } = started!
    receiver.received.length = 0
    receiver.answerBy(() => 200)
  })
  return {
    get receiver() {
      return started!.receiver
    },
    get service() {
      return started!.service
    },
    /** Makes a wallet with its client. */
    newPerson: async () => {
      const address = newWallet()
      return { address, client: await started!.service.as(address) }
    },
  }
}

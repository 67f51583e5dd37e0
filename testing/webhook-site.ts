import { afterAll, beforeAll, beforeEach } from 'vitest'
import { newWallet, type Service, startService } from './service.ts'
import { startReceiver } from './webhook-receiver.ts'

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

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@parley/sdk'
import { startReceiver } from '../../testing/outside/webhook-receiver.ts'
import { dueOf, inspectTold } from '../check/told.ts'
import type { Drill } from '../drill.ts'

/** The service is killed while it sends webhooks to an address, and the address fails too. */
export const webhookKills: Drill = {
  name: 'webhook-kills',
  summary:
    'SIGKILL for the service while it tells a webhook, whose receiver answers 500 or nothing now and then',
  seconds: 60,
  async perform(run) {
    const receiver = run.use(await startReceiver())
    // The first attempt of a tenth of the deliveries ends in a 500, and that of another tenth in nothing.
    receiver.answerBy(({ headers }, times) => {
      const chance = createHash('sha256').update(headers['webhook-id']!).digest()[0]! % 10
      if (times > 1 || chance > 1) return 204
      return chance === 0 ? 500 : 'drop'
    })
    const service = await run.startService({ PRIVATE_WEBHOOK_HOSTS: receiver.host })
    const { wallets } = await run.startLoad()
    const owner = wallets.addresses[0]!
    const client = wallets.client(owner, service.url)
    const body = {
      url: `http://${receiver.host}/drill`,
      events: ['message.direct' as const, 'request.new' as const, 'message.group' as const],
    }
    const [hook] = await client.createWebhook({ body })
    const since = run.ledgerLength()
    while (run.hasTime()) {
      await run.pause(1500, 4500)
      const at = performance.now()
      await service.end('SIGKILL')
      await service.start()
      await run.waitForRecovery(at, 3)
    }
    await run.finish()
    const due = dueOf(run.history, owner, since)
    const told = () => new Set(receiver.received.map(({ body: text }) => idIn(text)))
    await hurry(client, hook!.id, body, () => due.isSubsetOf(told()), 60_000 * run.patience)
    inspectTold(run, { hook: hook!, owner, due }, receiver.received)
    run.note(`${due.size} messages told in ${receiver.received.length} tries`)
  },
}

const idIn = (body: string) => (JSON.parse(body) as { data: { id: number } }).data.id

/** Makes waiting deliveries due at once, again and again: a failing delivery would wait for minutes. */
async function hurry(
  client: Client,
  session: string,
  body: Parameters<Client['changeWebhook']>[0]['body'],
  isDone: () => boolean,
  patience: number,
): Promise<void> {
  for (const end = performance.now() + patience; !isDone() && performance.now() < end; await sleep(100))
    await client.changeWebhook({ session, body })
}

// A wallet whose jobs wait for a server that hangs takes the place of nobody else, in any lane.

import { expect, test } from 'vitest'
import { startPushService } from '../../testing/outside/push-service.ts'
import { newWallet, type Service, startService } from '../../testing/service/service.ts'
import { startSmtp } from '../../testing/outside/smtp.ts'
import { timeUntil } from '../../testing/service/log.ts'
import { startReceiver } from '../../testing/outside/webhook-receiver.ts'
import { tasks } from '../src/background.ts'
import { enqueue } from '../src/jobs/queue.ts'
import { startJobs } from '../src/jobs/runner.ts'
import type { Lane } from '../src/jobs/tasks.ts'

/** Starts a service and the servers that it calls. Those of the busy wallet hang. */
async function startWorld() {
  await using stack = new AsyncDisposableStack()
  const smtp = stack.use(await startSmtp())
  const [fast, hanging, node] = [await startReceiver(), await startReceiver(), await startReceiver()]
  for (const one of [fast, hanging, node]) stack.use(one)
  const pushService = stack.use(await startPushService())
  const service = stack.use(
    await startService({
      smtpUrl: smtp.url,
      privateWebhookHosts: [fast.host, hanging.host],
      privatePushHosts: [pushService.host],
      publicUrl: 'https://chat.example.org',
      rpcUrls: { 1: `http://${node.host}/` },
      rateLimits: false,
    }),
  )
  hanging.answerBy(() => () => {})
  pushService.answerBy(({ endpoint }) => (endpoint.startsWith('hangs') ? 'never' : { status: 201 }))
  const hangingPeers = Array.from({ length: 20 }, newWallet)
  node.answerBy(({ body }) => (response) => {
    if (hangingPeers.some((peer) => body.includes(peer))) return
    const { id } = JSON.parse(body) as { id: number }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: '0x1' }))
  })
  const servers = [hanging, node, pushService]
  const owned = stack.move()
  return {
    service,
    smtp,
    fast,
    hanging,
    node,
    pushService,
    hangingPeers,
    /** Ends the calls that hang. */
    async endCalls() {
      for (const server of servers) await server[Symbol.asyncDispose]()
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
type World = Awaited<ReturnType<typeof startWorld>>

/** Has a wallet notified at once about a message. */
async function notify(service: Service, wallet: string): Promise<void> {
  const friend = newWallet()
  await (await service.as(wallet)).setContact({ peer: friend, body: { state: 'accepted' } })
  const body = { fromaddr: friend, toaddr: wallet, message: 'gm' }
  await (await service.as(friend)).sendDirectMessage({ body })
  await enqueue(
    service.ctx.db,
    'notify',
    { walletaddr: wallet, subject: { peer: friend } },
    { key: `notify ${wallet} ${friend}`, isSooner: true, runAt: new Date(service.ctx.db.now()) },
  )
}

async function newHook(service: Service, wallet: string, host: string): Promise<string> {
  const url = `http://${host}/x`
  const [hook] = await (await service.as(wallet)).createWebhook({ body: { url, events: ['message.direct'] } })
  return hook!.id
}

const noServer = 'waits for nothing but the database'
/** Gives a wallet more jobs in a lane than the lane has places; or says why no wallet can. */
const fill: Record<Lane, ((world: World, wallet: string) => Promise<void>) | string> = {
  inside: noServer,
  upkeep: noServer,
  mail: 'waits for the server of the operator, which no wallet chooses',
  scan: 'waits for the scanner of the operator, which no wallet chooses',
  async webhook({ service, hanging }, wallet) {
    for (let n = 0; n < 5; n++) {
      const session = await newHook(service, wallet, hanging.host)
      await (await service.as(wallet)).testWebhook({ session })
    }
  },
  async slow({ service }, wallet) {
    for (const { id: hook } of await (await service.as(wallet)).listWebhooks())
      await enqueue(service.ctx.db, 'deliver-slow-webhook', { walletaddr: wallet, hook })
  },
  async push({ service, pushService }, wallet) {
    for (let n = 0; n < 10; n++)
      await (
        await service.as(wallet)
      ).putPushSubscription({ body: pushService.subscribe(`hangs-${n}-${wallet}`) })
    for (let n = 0; n < 3; n++) await notify(service, wallet)
  },
  async chain({ service, hangingPeers }, wallet) {
    for (const peer of hangingPeers) await (await service.as(wallet)).getTrust({ peer })
  },
}

/** Another wallet gets a mail, a push and a webhook, and a chain is asked for it. Returns the milliseconds of the slowest. */
async function slowestOfOthers({ service, smtp, fast, node, pushService }: World): Promise<number> {
  const [wallet, peer] = [newWallet(), newWallet()]
  const client = await service.as(wallet)
  const email = `${wallet.slice(2, 20)}@example.org`
  await client.updateSettings({ body: { walletaddr: wallet, email } })
  const mail = await timeUntil('mail', () => smtp.inbox.some(({ recipients }) => recipients.includes(email)))
  await client.putPushSubscription({ body: pushService.subscribe(`quick-${wallet}`) })
  await notify(service, wallet)
  const pushed = () => pushService.received.some(({ endpoint }) => endpoint === `quick-${wallet}`)
  const push = await timeUntil('push', pushed)
  const session = await newHook(service, wallet, fast.host)
  const before = fast.received.length
  await client.testWebhook({ session })
  const webhook = await timeUntil('webhook', () => fast.received.length > before)
  await client.getTrust({ peer })
  const chain = await timeUntil('chain', () => node.received.some(({ body }) => body.includes(peer)))
  return Math.max(mail, push, webhook, chain)
}

test('jobs of one wallet that hang, in every lane, delay those of others by no two seconds', async () => {
  await using world = await startWorld()
  const { service, hanging, node, pushService, hangingPeers } = world
  await using _jobs = startJobs(service.ctx, service.databaseUrl, { tasks, crontab: [] })
  const alone = await slowestOfOthers(world)
  const busy = newWallet()
  for (const add of Object.values(fill)) if (typeof add !== 'string') await add(world, busy)
  await timeUntil('calls that hang', () =>
    [
      hanging.received.length > 0,
      pushService.received.some(({ endpoint }) => endpoint.startsWith('hangs')),
      node.received.some(({ body }) => hangingPeers.some((peer) => body.includes(peer))),
    ].every(Boolean),
  )
  // This is the median: the machine that tests this may be busy for a moment.
  const times = [await slowestOfOthers(world), await slowestOfOthers(world), await slowestOfOthers(world)]
  expect(times.toSorted((one, next) => one - next)[1]).toBeLessThan(alone + 2_000)
  await world.endCalls()
})

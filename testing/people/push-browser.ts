import { createECDH, randomBytes } from 'node:crypto'
import type { Client } from '@parley/sdk'
import type { Person } from './reading.ts'

/** Makes what a browser gives the service when a person turns notifications on, and what it decrypts pushes with. */
export function newBrowser(endpoint: string, label = 'a browser') {
  const ecdh = createECDH('prime256v1')
  const auth = randomBytes(16).toString('base64url')
  return { ecdh, subscription: { endpoint, p256dh: ecdh.generateKeys('base64url'), auth, label } }
}

/** A host of the lists of private hosts at which nobody listens. */
export const nowhere = '127.0.0.1:9'

/** Calls everything that a wallet can do about pushes and webhooks; none arrives. */
export async function subscribe(anyone: Client, client: Client): Promise<void> {
  const body = await client.getNotificationRules()
  await client.setNotificationRules({ body })
  await anyone.getPushKey()
  const add = (name: string) =>
    client.putPushSubscription({ body: newBrowser(`https://${nowhere}/${name}`).subscription })
  for (const name of ['one', 'one', 'two']) await add(name)
  const { subscription } = newBrowser(`https://${nowhere}/three`)
  await client.putPushSubscription({ body: { ...subscription, replaces: `https://${nowhere}/two` } })
  await client.testPush()
  const address = { url: `https://${nowhere}/hook`, events: ['message.direct' as const] }
  const [hook] = await client.createWebhook({ body: address })
  await client.listWebhooks()
  await client.changeWebhook({ session: hook!.id, body: { ...address, is_on: true } })
  await client.rotateWebhook({ session: hook!.id })
  await client.testWebhook({ session: hook!.id })
  const [test] = await client.listDeliveries({ session: hook!.id, query: { failed: false } })
  await client.replayDelivery({ session: hook!.id, id: test!.id }).catch(() => {})
  const [other] = await client.createWebhook({ body: address })
  // This one is for what is read in the background later.
  await client.createWebhook({
    body: {
      ...address,
      events: ['message.group', 'message.deleted', 'member.joined', 'command'],
      chat: 'Town',
    },
  })
  await client.deleteWebhook({ session: other!.id })
  const [first] = await client.listPushSubscriptions()
  await client.deletePushSubscription({ session: first!.id })
}

/** Makes a wallet a bot of a chat. */
export async function registerCommands({ address, client }: Person): Promise<void> {
  await client.becomeBot()
  await client.joinChat({ body: { walletaddr: address, nftaddr: 'Town' } })
  await client.setCommands({ nftaddr: 'Town', body: { commands: [{ word: 'help', description: '' }] } })
}

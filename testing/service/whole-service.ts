import type { Client } from '@parley/sdk'
import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { useDirectory } from './whole-directory.ts'
import { contract } from '@parley/sdk/contract/index.ts'
import { tasks } from '../../server/src/background.ts'
import type { Db } from '../../server/src/db/pool.ts'
import { webhookReader } from '../../server/src/features/webhooks/reader.ts'
import { publishingByAdmin } from '../../server/src/auth/publishing.ts'
import { updateName } from '../../server/src/features/names/store.ts'
import { getChat } from '../../server/src/features/ownership/store.ts'
import { enqueue } from '../../server/src/jobs/queue.ts'
import { countFirstContacts } from '../../server/src/limits/first-contacts.ts'
import { addUsage, none } from '../../server/src/limits/daily-usage.ts'
import { readHead } from '../../server/src/cluster/log.ts'
import { type Name, parseName } from '../../server/src/values/display-name.ts'
import { inOrder, pairBucket } from '../../server/src/values/bucket.ts'
import { listenTo } from './event-listener.ts'
import { requestOf } from '../cases/callers.ts'
import { followAll } from './log.ts'
import { base64data, change, forget, type Person, read, token } from '../people/reading.ts'
import { decide } from '../people/make-decisions.ts'
import { moderate, moderateChat } from '../people/moderators.ts'
import { editOwn, reactAndPin, reactToOwn, wantReactions } from '../people/reacting.ts'
import { useFiles } from '../people/uploading.ts'
import { recordingCalls } from '../cases/recorded.ts'
import { expireBefore, forgetReleased, workOnNotifications } from './written-directly.ts'
import { newToken, newWallet, type Service } from './service.ts'
import { signInAndOut } from '../people/sign-in-and-out.ts'
import type { startSmtp } from '../outside/smtp.ts'
import { nowhere, registerCommands, subscribe } from '../people/push-browser.ts'
import { botToken, type startTelegram } from '../outside/telegram-api.ts'
import { useTelegram } from '../people/telegram-people.ts'

type Smtp = Awaited<ReturnType<typeof startSmtp>>

interface Outside {
  smtp: Smtp
  telegram: Awaited<ReturnType<typeof startTelegram>>
}

const adminApiKey = 'an-admin-key-that-is-long-enough-to-be-one'

/** Returns the settings of a service on which everything can be used. */
export const settingsOfAll = ({ smtp, telegram }: Outside) => ({
  adminApiKey,
  smtpUrl: smtp.url,
  telegramBotToken: botToken,
  telegramApiUrl: telegram.url,
  mailFrom: { name: 'Parley', address: 'parley@example.org' },
  privateFetchHosts: [nowhere],
  privatePushHosts: [nowhere],
  privateWebhookHosts: [nowhere],
})

/**
 * Calls every endpoint of a service with `settingsOfAll`, and does all work in the background, so that each statement is run.
 * Returns the endpoints. `beforeErasure` receives the wallets that have done it all, which are erased then.
 */
export async function useEverything(
  service: Service,
  { smtp, telegram }: Outside,
  beforeErasure: (wallets: string[]) => Promise<void> = async () => {},
): Promise<Set<string>> {
  const called = new Set<string>()
  const newPerson = async (address = newWallet()): Promise<Person> => ({
    address,
    client: recordingCalls(await service.as(address), called),
  })
  const [alice, bob, carol] = [await newPerson(), await newPerson(), await newPerson()]
  const anyone = recordingCalls(service.anonymous, called)
  await Promise.all([anyone.isAlive(), anyone.isReady(), anyone.getServiceInfo()])
  await signInAndOut(service, called)
  {
    await using stream = await listenTo(service, bob.address)
    called.add('streamEvents')
    await setUp(service, [alice, bob, carol], smtp)
    await write(service.ctx.db, [alice, bob, carol])
    await chat(service.ctx.db, alice, [bob, carol], anyone)
    await useFiles(service, [alice, bob], 'Town')
    await registerCommands(await newPerson())
    await stream.receives(1)
  }
  await subscribe(anyone, bob.client)
  const { head } = await readHead(service.ctx.db)
  await useTelegram(service, telegram, bob.client)
  await change([alice, bob])
  await decide([alice, bob, carol])
  await wantReactions(alice)
  await moderate(service, [alice, carol, await newPerson()])
  await moderateChat(service.ctx.db, [alice, bob])
  await using resumed = await listenTo(service, bob.address, { lastEventId: String(head) })
  await resumed.receives(1)
  await read(bob, alice.address)
  await forget(bob, alice.address)
  await countFirstContacts(service.ctx.db, alice.address)
  await addUsage(service.ctx.db, 1, [{ ...none(), walletaddr: carol.address, bytes: 1 }])
  await carol.client.deleteConversation({ fromaddr: alice.address, toaddr: carol.address })
  await useDirectory(service, alice)
  await callOthers(service, alice.address, called)
  await workInBackground(service)
  await reactToOwn(alice)
  await beforeErasure([alice, bob, carol].map(({ address }) => address))
  for (const { address, client } of [alice, bob, carol]) {
    await new Response(await client.exportAccount({ address })).arrayBuffer()
    await client.eraseAccount({ address })
  }
  await (await newPerson(alice.address)).client.signOutEverywhere()
  return called
}

/** Calls the endpoints that nothing above calls, with the examples of the contract. */
async function callOthers({ app, ctx }: Service, wallet: string, called: Set<string>): Promise<void> {
  const last = new Set(['exportAccount', 'eraseAccount', 'signOutEverywhere'])
  for (const [name, endpoint] of Object.entries<Endpoint>(contract)) {
    if (called.has(name) || last.has(name)) continue
    const headers = { authorization: `Bearer ${await newToken(ctx, wallet)}` }
    const { statusCode, body } = await app.inject({ ...requestOf(endpoint, wallet), headers })
    // An endpoint whose examples are not enough is called above.
    if (statusCode >= 400 && statusCode !== 404) throw new Error(`${name}: ${statusCode} ${body}`)
    called.add(name)
  }
}

/** Sets names, pictures, keys and settings. Bob wants mails. */
async function setUp(service: Service, [alice, bob, carol]: Person[], smtp: Smtp) {
  for (const name of ['Alice', 'Alicia'])
    await alice!.client.setName({ body: { address: alice!.address, name } })
  await alice!.client.getName({ name: 'Alicia' })
  await alice!.client.resolveName({ name: 'Alicia' })
  const image = { body: { addr: alice!.address, base64data } }
  await alice!.client.createImage(image, { idempotencyKey: 'picture' })
  await alice!.client.updateImage(image)
  await alice!.client.createProfilePicture(image)
  await bob!.client.getImage({ addr: alice!.address })
  await bob!.client.getPicture({ addr: alice!.address })
  const { address } = alice!
  await alice!.client.deleteImage({ addr: address })
  await alice!.client.deleteName()
  await alice!.client.setName({ body: { address, name: 'Alicia' } })
  const newKey = { address, public_key: 'a', signature: 'b', backup: 'c' }
  const [published] = await alice!.client.publishKey({ address, body: newKey })
  await alice!.client.publishKey({ address, body: { ...newKey, replaces: published!.updated_at } })
  for (const { client } of [alice!, bob!]) await client.getKey({ address })
  const asAdmin = (url: string, payload: object, key: string) =>
    service.app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${adminApiKey}`, 'idempotency-key': key },
      payload,
    })
  const settings = { walletaddr: bob!.address, email: 'bob@example.org', notifydm: 'true', notify24: 'true' }
  for (let n = 0; n < 2; n++) await asAdmin('/v1/update_settings', settings, 'bob')
  // Its owner on the chain takes this name from another wallet; no chain is queried here.
  const name = { ...(parseName('Dora') as Name), onChain: true }
  for (const one of [bob!, carol!])
    await updateName(service.ctx.db, publishingByAdmin, { address: one.address, name })
  await carol!.client.updateSettings({ body: { walletaddr: carol!.address, email: 'carol@example.org' } })
  await carol!.client.getSettings({ address: carol!.address })
  await service.runJobs()
  const [, email, code] = /verify_email\/([^/]+)\/(\S+)/.exec(smtp.inbox[0]!.mail.text!)!
  await carol!.client.verifyEmail({ email: decodeURIComponent(email!), verification_code: code! })
  await carol!.client.deleteSettings({ address: carol!.address })
}

/** Sends direct messages, with and without keys. */
async function write(db: Db, [alice, bob, carol]: Person[]): Promise<void> {
  const send = ({ address, client }: Person, to: Person, key?: string) => {
    const body = { fromaddr: address, toaddr: to.address, message: 'gm', ...token }
    return client.sendDirectMessage({ body }, key === undefined ? {} : { idempotencyKey: key })
  }
  for (let n = 0; n < 2; n++) await send(alice!, bob!, 'one')
  await send(bob!, alice!)
  // The first go alone, the rest together: a few one by one, many in a batch; in one conversation, then in several.
  for (const keys of [0, 30])
    for (const [of, peers] of [[bob!], [bob!, carol!]].entries())
      for (const length of [6, 40]) {
        const keyOf = (n: number) => (keys ? `${of}-${length}-${n % keys}` : undefined)
        const to = (n: number) => peers[n % peers.length]!
        await Promise.all(Array.from({ length }, (_, n) => send(alice!, to(n), keyOf(n))))
      }
  await send(carol!, carol!)
  // A conversation whose time is ahead accepts no further messages.
  const pair = inOrder(bob!.address, carol!.address)
  await send(bob!, carol!, 'soon')
  const ahead = 'update conversations set last_ms = last_ms + 60000 where bucket = $1 and a = $2 and b = $3'
  await db.query(ahead, [pairBucket(...pair), ...pair])
  await send(bob!, carol!, 'too-fast').catch(() => {})
  await bob!.client.sendTyping({ body: { fromaddr: bob!.address, toaddr: alice!.address } })
}

/** Uses a community, the chat of an NFT, comments. */
async function chat(db: Db, { address, client }: Person, others: Person[], anyone: Client): Promise<void> {
  await client.createCommunity({ body: { community: 'Town', social: [{ type: 'web', name: 'town' }] } })
  await client.createImage({ body: { addr: 'Town', base64data } })
  for (const nftaddr of ['Town', token.nftaddr])
    for (const one of [{ address, client }, ...others]) {
      await one.client.joinChat({ body: { walletaddr: one.address, nftaddr } })
      await one.client.joinChat({ body: { walletaddr: one.address, nftaddr, chain: 'ethereum' } })
    }
  for (const keys of [0, 30])
    for (const length of [6, 40]) {
      const body = { fromaddr: address, nftaddr: 'Town', message: 'gm' }
      const keyOf = (n: number) => (keys ? { idempotencyKey: `${length}-${n % keys}` } : {})
      await Promise.all(Array.from({ length }, (_, n) => client.postCommunityMessage({ body }, keyOf(n))))
    }
  const body = { fromaddr: address, nftaddr: token.nftaddr, message: 'gm' }
  const [post] = await client.postGroupMessage({ body })
  await client.removePost({ nftaddr: token.nftaddr, id: post!.id })
  const [liked] = await client.postGroupMessage({ body })
  await reactAndPin({ address, client }, others[0]!, liked!.id)
  await editOwn({ address, client }, others[0]!)
  for (const one of others) {
    await anyone.countUnreadOfChat({ address: 'Town', useraddress: one.address })
    await one.client.getInbox({ address: one.address })
    await one.client.getCommunity({ community: 'Town', address: one.address })
    await one.client.listGroupMessages({ address: token.nftaddr, useraddress: one.address })
    await one.client.listBookmarks({ address: one.address })
    await one.client.hasJoined({ walletaddr: one.address, nftaddr: 'Town' })
    await one.client.listSharedChats({ walletaddr: address })
    await one.client.getTrust({ peer: address })
    await one.client.listChainNames({ query: { addresses: address } })
    await one.client.listCommands({ nftaddr: 'Town' })
    await one.client.createComment({ body: { fromaddr: one.address, message: 'What a hat.', ...token } })
    await one.client.listComments({ ...token, query: { limit: 1, before: Number.MAX_SAFE_INTEGER } })
    await one.client.countComments(token)
  }
  const [one] = others
  // Without a chain it fails, so its statement is run by itself.
  await one!.client.checkOwnership({ contract: token.nftaddr, wallet: one!.address }).catch(() => {})
  await one!.client.verifyKey({ body: { address, claim: '', proof: '' } }).catch(() => {})
  await one!.client.listMembers({ nftaddr: 'Town' })
  await one!.client.listPinsOfChat({ nftaddr: 'Town' })
  await one!.client.listPinsOfConversation({ toaddr: address })
  await one!.client.getNft(token)
  await one!.client.getNftPicture(token)
  await getChat(db, token.nftaddr, one!.address)
  await one!.client.deleteComments({ fromaddr: one!.address, ...token })
  await one!.client.leaveChat({ body: { walletaddr: one!.address, nftaddr: token.nftaddr } })
}

async function workInBackground(service: Service): Promise<void> {
  await enqueue(service.ctx.db, 'post-answer', { walletaddr: newWallet(), hook: 'none', id: 1 })
  await followAll(service.ctx.db, webhookReader(service.ctx))
  for (let round = 0; round < 2; round++) await service.runJobs()
  await workOnNotifications(service)
  const dbDaysLater = { ...service.ctx.db, now: () => Date.now() + 100 * 3_600_000 }
  await tasks['forget-expired']({ ...service.ctx, db: dbDaysLater }, {}, undefined as never)
  await expireBefore(service, Date.now())
  await forgetReleased(service)
}

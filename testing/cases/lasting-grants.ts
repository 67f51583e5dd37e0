// This is a wallet that has every lasting grant, with ways to see whether each still works, and that signs other sites in.

import { expect } from 'vitest'
import type { LastingGrant } from '../../server/src/auth/grants.ts'
import { pollOnce } from '../../server/src/features/notifications/telegram-poll.ts'
import { startPushService } from '../outside/push-service.ts'
import { clientOf, newWallet, type Service, startService } from '../service/service.ts'
import { newOwnerOf, type Owner, shop, signSiteIn } from '../people/owners.ts'
import { hashOf, newLink, openLink, takeLink } from '../people/handing-over.ts'
import { startSmtp } from '../outside/smtp.ts'
import { botToken, startTelegram } from '../outside/telegram-api.ts'
import { codeOf, newId } from '../people/telegram-people.ts'
import { startReceiver } from '../outside/webhook-receiver.ts'

const adminApiKey = 'an-admin-key-that-is-long-enough-to-be-one'

/** Starts a service from which everything can be granted, and another instance beside it. */
export async function startGranting() {
  await using stack = new AsyncDisposableStack()
  const smtp = stack.use(await startSmtp())
  const telegram = stack.use(await startTelegram())
  const receiver = stack.use(await startReceiver())
  const pushService = stack.use(await startPushService())
  const options = {
    adminApiKey,
    smtpUrl: smtp.url,
    publicUrl: 'https://chat.example.org',
    allowedDomains: ['chat.example.org'],
    embedOrigins: [shop],
    telegramBotToken: botToken,
    telegramApiUrl: telegram.url,
    privateWebhookHosts: [receiver.host],
    privatePushHosts: [pushService.host],
  }
  const service = stack.use(await startService(options))
  const other = stack.use(await startService({ ...options, beside: service }))
  const owned = stack.move()

  const newOwner = () => newOwnerOf(service)
  const world = { service, smtp, telegram, receiver, pushService, work }

  /** Sends a message to the owner, from somebody it has accepted, and does what follows. */
  async function writeTo({ address, friend }: Owner) {
    // After an erasure it has accepted nobody, and while it is banned it cannot.
    const accepting = (await service.as(address)).setContact({ peer: friend, body: { state: 'accepted' } })
    await accepting.catch(() => {})
    await service.ctx.db.query('update push_marks set told_ms = told_ms - 60000')
    const body = { fromaddr: friend, toaddr: address, message: 'a secret text' }
    await (await service.as(friend)).sendDirectMessage({ body })
    await work()
  }

  async function work() {
    for (let n = 0; n < 3; n++) {
      await service.runJobs()
      await service.ctx.db.query('update telegram_pace set next_ms = 0')
      await service.ctx.db.query(
        `update graphile_worker._private_jobs set run_at = now() where run_at < now() + interval '1 minute'`,
      )
    }
  }

  const grants = { ...grantsOfPrograms({ service }), ...grantsThatTell(world) } satisfies Adders
  return {
    service,
    other,
    smtp,
    pushService,
    newOwner,
    signSiteIn: (owner: Owner, scopes: readonly string[]) => signSiteIn(service, owner, scopes),
    writeTo,
    setEmail: (owner: Owner) => setEmailOf(service, owner),
    work,
    grants,
    grantAll: (owner: Owner) => grantAllTo(owner, grants, service, writeTo),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** How one sees whether a grant works: by using it on an instance, or by how much its channel has sent so far. */
type Grant = { worksOn: (on: Service) => Promise<boolean> } | { sent: () => number }
type Adders = Record<LastingGrant, (owner: Owner) => Promise<Grant>>

/** Adds every grant to one owner. */
async function grantAllTo(
  owner: Owner,
  grants: Adders,
  service: Service,
  writeTo: (owner: Owner) => Promise<void>,
) {
  const added: [LastingGrant, Grant][] = []
  for (const name of Object.keys(grants) as LastingGrant[]) added.push([name, await grants[name](owner)])
  const channels = added.flatMap(([name, grant]) => ('sent' in grant ? [[name, grant.sent] as const] : []))
  /** Returns the grants that a program has in its hands and that work on an instance. */
  const programs = async (on: Service) => {
    const works: LastingGrant[] = []
    for (const [name, grant] of added) if ('worksOn' in grant && (await grant.worksOn(on))) works.push(name)
    return works
  }
  /** Returns all that work. One message shows by which channels something is sent. */
  const all = async () => {
    await service.ctx.db.query('delete from dm_mails')
    const before = channels.map(([, sent]) => sent())
    await writeTo(owner)
    const sending = channels.filter(([, sent], n) => sent() > before[n]!).map(([name]) => name)
    return new Set([...(await programs(service)), ...sending])
  }
  return { programs, all }
}

/** Sets a confirmed address by the admin, and returns it. */
async function setEmailOf(service: Service, { address }: Owner): Promise<string> {
  const email = `${address.slice(2, 20)}@example.com`
  await service.app.inject({
    method: 'POST',
    url: '/v1/update_settings',
    headers: { authorization: `Bearer ${adminApiKey}` },
    payload: { walletaddr: address, email },
  })
  return email
}

interface World {
  service: Service
  smtp: Awaited<ReturnType<typeof startSmtp>>
  telegram: Awaited<ReturnType<typeof startTelegram>>
  receiver: Awaited<ReturnType<typeof startReceiver>>
  pushService: Awaited<ReturnType<typeof startPushService>>
  work: () => Promise<void>
}

const grantsOfPrograms = ({ service }: Pick<World, 'service'>) =>
  ({
    async sessions({ browser, address }) {
      const worksOn = async (on: Service) => {
        const answer = await on.app.inject({
          method: 'POST',
          url: `/v1/session/${address}`,
          headers: { 'sec-fetch-site': 'same-origin', cookie: browser.cookie() },
        })
        return answer.statusCode === 200
      }
      return { worksOn }
    },
    async handovers(owner) {
      const { code, claim } = newLink()
      await owner.client.createHandover({ body: { code_hash: hashOf(code) } })
      const { number } = await openLink(service, { code, claim })
      await owner.client.confirmHandover({ body: { number } })
      const worksOn = async (on: Service) => (await takeLink(on, claim)).statusCode === 200
      expect(await worksOn(service)).toBe(true)
      return { worksOn }
    },
    async api_keys({ client, address }) {
      const [made] = await client.createApiKey({ body: { label: 'a key', scopes: ['inbox:read'] } })
      return { worksOn: (on) => succeeds(clientOf(on.app, { token: made!.key! }).getInbox({ address })) }
    },
    async incoming_hooks({ client, address }) {
      const nftaddr = newWallet()
      await client.joinChat({ body: { walletaddr: address, nftaddr } })
      const [made] = await client.createIncomingHook({ body: { label: 'a hook', nftaddr } })
      const worksOn = async (on: Service) => {
        const url = new URL(made!.url!).pathname
        return (await on.app.inject({ method: 'POST', url, payload: { text: 'gm' } })).statusCode === 200
      }
      return { worksOn }
    },
    async drafts({ client, address }) {
      const [key] = await client.createApiKey({ body: { label: 'a program', scopes: ['draft:write'] } })
      const program = clientOf(service.app, { token: key!.key! })
      await program.createDraft({ body: { toaddr: newWallet(), message: 'of a program' } })
      await client.createDraft({ body: { toaddr: newWallet(), message: 'of the wallet' } })
      const worksOn = async () => {
        const rows = await service.ctx.db.query<{ message: string }>(
          'select message from drafts where walletaddr = $1',
          [address],
        )
        return rows.some(({ message }) => message === 'of a program')
      }
      return { worksOn }
    },
  }) satisfies Partial<Adders>

const grantsThatTell = ({ service, smtp, telegram, receiver, pushService, work }: World) =>
  ({
    async webhooks(owner) {
      const url = `http://${receiver.host}/${owner.address}`
      await owner.client.createWebhook({ body: { url, events: ['message.direct'] } })
      return { sent: () => receiver.received.filter(({ body }) => body.includes(owner.address)).length }
    },
    async push_subscriptions(owner) {
      const name = `browser-${owner.address}`
      await owner.client.putPushSubscription({ body: pushService.subscribe(name) })
      return { sent: () => pushService.received.filter(({ endpoint }) => endpoint === name).length }
    },
    async telegram(owner) {
      const from = { id: newId(), first_name: 'Ada' }
      telegram.write(from, `/start ${codeOf((await owner.client.createTelegramLink()).url)}`)
      await pollOnce(service.ctx, new AbortController().signal, 0)
      await work()
      return { sent: () => telegram.sent.filter(({ chat_id: id }) => id === from.id).length }
    },
    async mails(owner) {
      const { address, client } = owner
      const email = `${address.slice(2, 20)}@example.org`
      await client.updateSettings({ body: { walletaddr: address, email, notifydm: 'true' } })
      await work()
      const asked = smtp.inbox.find(({ recipients }) => recipients.includes(email))
      const code = /verify_email\/[^/]+\/(\S+)/.exec(asked!.mail.text!)![1]!
      await client.verifyEmail({ email, verification_code: code })
      const isNews = (subject = '') => subject.includes('New message')
      const sent = () =>
        smtp.inbox.filter(({ recipients, mail }) => recipients.includes(email) && isNews(mail.subject)).length
      return { sent }
    },
  }) satisfies Partial<Adders>

const succeeds = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  )

export const eventually = (check: () => Promise<boolean>, is: boolean) =>
  expect.poll(check, { timeout: 5_000 }).toBe(is)

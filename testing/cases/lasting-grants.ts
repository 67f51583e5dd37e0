// This is a wallet that has every lasting grant, with ways to see whether each still works, and that signs other sites in.

import { signInText } from '@parley/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import type { LastingGrant } from '../../server/src/auth/grants.ts'
import { pollOnce } from '../../server/src/features/notifications/telegram-poll.ts'
import { startPushService } from '../outside/push-service.ts'
import { openBrowser } from '../service/session-browser.ts'
import { clientOf, newWallet, type Service, startService } from '../service/service.ts'
import { hashOf, newLink, openLink, takeLink } from '../people/handing-over.ts'
import { startSmtp } from '../outside/smtp.ts'
import { botToken, startTelegram } from '../outside/telegram-api.ts'
import { codeOf, newId } from '../people/telegram-people.ts'
import { startReceiver } from '../outside/webhook-receiver.ts'

/** This is a site that may ask for scopes alone. */
const shop = 'https://shop.example'

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

  /** Returns true when the service sends something by a channel for a message to the owner. */
  async function countsOf(owner: Owner, sent: () => number): Promise<boolean> {
    const before = sent()
    await writeTo(owner)
    return sent() > before
  }

  /** Sets a confirmed address by the admin, and returns it. */
  async function setEmail({ address }: Owner): Promise<string> {
    const email = `${address.slice(2, 20)}@example.com`
    await service.app.inject({
      method: 'POST',
      url: '/v1/update_settings',
      headers: { authorization: `Bearer ${adminApiKey}` },
      payload: { walletaddr: address, email },
    })
    return email
  }

  const world = { service, smtp, telegram, receiver, pushService, work, countsOf }
  return {
    service,
    other,
    smtp,
    pushService,
    newOwner,
    signSiteIn: (owner: Owner, scopes: readonly string[]) => signSiteIn(service, owner, scopes),
    writeTo,
    setEmail,
    work,
    grants: { ...grantsOfPrograms(world), ...grantsThatTell(world) } satisfies Adders,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

async function newOwnerOf(service: Service) {
  const account = privateKeyToAccount(generatePrivateKey())
  const address = account.address.toLowerCase()
  const browser = openBrowser(service.app)
  await browser.signIn(account)
  const client = clientOf(service.app, { token: browser.token() })
  return { account, address, browser, client, friend: newWallet() }
}
type Owner = Awaited<ReturnType<typeof newOwnerOf>>

/** Signs the owner in at another site. Returns the token, and what was sent for it, which somebody may send again. */
async function signSiteIn(service: Service, { account }: Owner, scopes: readonly string[]) {
  const { address } = account
  const { nonce } = await service.anonymous.getNonce({ address })
  const text = { domain: new URL(shop).host, uri: shop, address, nonce }
  const msg = signInText({ ...text, scopes })
  const payload = { address, msg, sig: await account.signMessage({ message: msg }) }
  const send = (more: object = {}, headers: Record<string, string> = {}) =>
    service.app.inject({
      method: 'POST',
      url: '/signin',
      headers: { origin: shop, 'sec-fetch-site': 'cross-site', ...headers },
      payload: { ...payload, ...more },
    })
  const answer = await send()
  const token = String(answer.headers['authorization']).slice('Bearer '.length)
  return { token, client: clientOf(service.app, { token }), text, send }
}

/** Adds a grant; returns a function that checks whether it works on an instance. */
type Adders = Record<LastingGrant, (owner: Owner) => Promise<(on: Service) => Promise<boolean>>>

interface World {
  service: Service
  smtp: Awaited<ReturnType<typeof startSmtp>>
  telegram: Awaited<ReturnType<typeof startTelegram>>
  receiver: Awaited<ReturnType<typeof startReceiver>>
  pushService: Awaited<ReturnType<typeof startPushService>>
  work: () => Promise<void>
  countsOf: (owner: Owner, sent: () => number) => Promise<boolean>
}

const grantsOfPrograms = ({ service }: World) =>
  ({
    async sessions({ browser, address }) {
      return async (on) => {
        const answer = await on.app.inject({
          method: 'POST',
          url: `/v1/session/${address}`,
          headers: { 'sec-fetch-site': 'same-origin', cookie: browser.cookie() },
        })
        return answer.statusCode === 200
      }
    },
    async handovers(owner) {
      const { code, claim } = newLink()
      await owner.client.createHandover({ body: { code_hash: hashOf(code) } })
      const { number } = await openLink(service, { code, claim })
      await owner.client.confirmHandover({ body: { number } })
      const take = async (on: Service) => (await takeLink(on, claim)).statusCode === 200
      expect(await take(service)).toBe(true)
      return take
    },
    async api_keys({ client, address }) {
      const [made] = await client.createApiKey({ body: { label: 'a key', scopes: ['inbox:read'] } })
      return (on) => succeeds(clientOf(on.app, { token: made!.key! }).getInbox({ address }))
    },
    async incoming_hooks({ client, address }) {
      const nftaddr = newWallet()
      await client.joinChat({ body: { walletaddr: address, nftaddr } })
      const [made] = await client.createIncomingHook({ body: { label: 'a hook', nftaddr } })
      return async (on) => {
        const url = new URL(made!.url!).pathname
        return (await on.app.inject({ method: 'POST', url, payload: { text: 'gm' } })).statusCode === 200
      }
    },
    async drafts({ client, address }) {
      const [key] = await client.createApiKey({ body: { label: 'a program', scopes: ['draft:write'] } })
      const program = clientOf(service.app, { token: key!.key! })
      await program.createDraft({ body: { toaddr: newWallet(), message: 'of a program' } })
      await client.createDraft({ body: { toaddr: newWallet(), message: 'of the wallet' } })
      return async () => {
        const rows = await service.ctx.db.query<{ message: string }>(
          'select message from drafts where walletaddr = $1',
          [address],
        )
        return rows.some(({ message }) => message === 'of a program')
      }
    },
  }) satisfies Partial<Adders>

const grantsThatTell = ({ service, smtp, telegram, receiver, pushService, work, countsOf }: World) =>
  ({
    async webhooks(owner) {
      const url = `http://${receiver.host}/${owner.address}`
      await owner.client.createWebhook({ body: { url, events: ['message.direct'] } })
      return () =>
        countsOf(owner, () => receiver.received.filter(({ body }) => body.includes(owner.address)).length)
    },
    async push_subscriptions(owner) {
      const name = `browser-${owner.address}`
      await owner.client.putPushSubscription({ body: pushService.subscribe(name) })
      return () =>
        countsOf(owner, () => pushService.received.filter(({ endpoint }) => endpoint === name).length)
    },
    async telegram(owner) {
      const from = { id: newId(), first_name: 'Ada' }
      telegram.write(from, `/start ${codeOf((await owner.client.createTelegramLink()).url)}`)
      await pollOnce(service.ctx, new AbortController().signal, 0)
      await work()
      return () => countsOf(owner, () => telegram.sent.filter(({ chat_id: id }) => id === from.id).length)
    },
    async mails(owner) {
      const { address, client } = owner
      const email = `${address.slice(2, 20)}@example.org`
      await client.updateSettings({ body: { walletaddr: address, email, notifydm: 'true' } })
      await work()
      const asked = smtp.inbox.find(({ recipients }) => recipients.includes(email))
      const code = /verify_email\/[^/]+\/(\S+)/.exec(asked!.mail.text!)![1]!
      await client.verifyEmail({ email, verification_code: code })
      return async () => {
        await service.ctx.db.query('delete from dm_mails')
        const news = () =>
          smtp.inbox.filter(
            ({ recipients, mail }) => recipients.includes(email) && /New message/.test(mail.subject ?? ''),
          ).length
        return countsOf(owner, news)
      }
    },
  }) satisfies Partial<Adders>

const succeeds = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  )

export const eventually = (check: () => Promise<boolean>, is: boolean) =>
  expect.poll(check, { timeout: 5_000 }).toBe(is)

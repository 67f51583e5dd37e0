// This is a service with a Telegram bot, and people who write to it.

import { defaults } from '../../server/src/messages/notification-policy.ts'
import { pollOnce } from '../../server/src/features/notifications/telegram-poll.ts'
import { pauseAll } from '../../server/src/features/notifications/telegram-store.ts'
import type { Client } from '@parley/sdk'
import { newWallet, type Service, startService } from '../service/service.ts'
import { botToken, startTelegram } from '../outside/telegram-api.ts'

let ids = 5_000_000_000

export async function startTelegramService() {
  const telegram = await startTelegram()
  const logged: string[] = []
  const service = await startService({
    publicUrl: 'https://chat.example.org',
    telegramBotToken: botToken,
    telegramApiUrl: telegram.url,
    logLevel: 'trace',
    logTo: { write: (line) => void logged.push(line) },
  })
  const { db } = service.ctx

  async function newPerson() {
    const address = newWallet()
    const client = await service.as(address)
    const id = ids++
    const got = () => telegram.sent.filter(({ chat_id: chat }) => chat === id)
    const user = { id, first_name: 'Ada', last_name: 'L.' }
    return { address, client, user, got, texts: () => got().map(({ text }) => text) }
  }
  type Person = Awaited<ReturnType<typeof newPerson>>

  /** Reads what was written to the bot. */
  const poll = () => pollOnce(service.ctx, new AbortController().signal, 0)

  async function linkChat(person: Person, other = person.user) {
    const { url } = await person.client.createTelegramLink()
    telegram.write(other, `/start ${codeOf(url)}`)
    await poll()
  }

  const send = async (from: Person, to: Person, message = 'a secret text') =>
    (
      await from.client.sendDirectMessage({ body: { fromaddr: from.address, toaddr: to.address, message } })
    )[0]!

  /** Runs the jobs that are due, after those that wait were made so. */
  async function workOnce(after = 60_000) {
    await db.query(
      `update graphile_worker._private_jobs set run_at = now() where run_at < now() + $1 * interval '1 millisecond'`,
      [after],
    )
    await service.runJobs()
  }

  /** Runs the jobs, also those that wait for their time or for that of a chat. */
  async function work(after = 60_000) {
    await service.runJobs()
    for (let n = 0; n < 2; n++) {
      await db.query('update telegram_pace set next_ms = 0')
      await workOnce(after)
    }
  }

  /** Makes two wallets that have accepted each other; the second has linked a chat and got the confirmation. */
  async function newPair() {
    const [alice, bob] = [await newPerson(), await newPerson()]
    await linkChat(bob)
    await work()
    await befriend(alice, bob)
    telegram.sent.length = 0
    return [alice, bob] as const
  }

  async function befriend(alice: Person, bob: Person) {
    await send(bob, alice, 'hello')
    await alice.client.setContact({ peer: bob.address, body: { state: 'accepted' } })
  }

  return {
    telegram,
    service,
    logged,
    newPerson,
    poll,
    linkChat,
    send,
    workOnce,
    work,
    newPair,
    befriend,
    /** Returns the jobs that would send something. */
    jobs: () =>
      db.query<{ task: string; wait: number }>(
        `select task_identifier as task, extract(epoch from run_at - now())::float8 as wait from graphile_worker.jobs
         where key like '%telegram%'`,
      ),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]()
      await telegram[Symbol.asyncDispose]()
    },
  }
}

export const codeOf = (url: string) => new URL(url).searchParams.get('start')!
/** Returns the id of somebody who is no user of the service. */
export const newId = () => ids++
/** These hours make it quiet at all times. */
export const always = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '00:00' }]
export const wants = (push: { dm: boolean; requests: boolean }) => ({ ...defaults, push })

/** Calls everything that a wallet can do about Telegram. It stays linked. */
export async function useTelegram(
  { ctx }: Service,
  telegram: Awaited<ReturnType<typeof startTelegram>>,
  client: Client,
): Promise<void> {
  const from = { id: newId(), first_name: 'Ada' }
  const start = async () => `/start ${codeOf((await client.createTelegramLink()).url)}`
  for (const text of [await start(), '/stop', await start()]) {
    telegram.write(from, text)
    await pollOnce(ctx, new AbortController().signal, 0)
  }
  await client.deleteTelegramLink()
  telegram.write(from, await start())
  await pollOnce(ctx, new AbortController().signal, 0)
  await client.getTelegramLink()
  // A response that requests a wait would do this.
  await pauseAll(ctx.db, ctx.db.now())
}

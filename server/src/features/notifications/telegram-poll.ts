// This module reads what people write to the Telegram bot: by long polls, so that the service needs no address that Telegram can
// reach. One instance at a time does so: the one whose connection holds a lock of the database. When it ends, another one takes
// the lock.
//
// Telegram sends an update again until a later poll requests what comes after it. That number is stored in the transaction that
// does what the update requests (telegram-store.ts), so nothing is lost or done twice wherever an instance ends.

import { type Static, Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { openSession, type Session } from '../../db/session.ts'
import { delay } from '../../lib/abort.ts'
import { createBackoff } from '../../lib/backoff.ts'
import { minute } from '../../lib/times.ts'
import { adding } from '../../messages/add-grant.ts'
import { callTelegram, type Failure, getBot, loadValue } from './telegram-api.ts'
import { enqueueAnswer } from './telegram-answers.ts'
import * as store from './telegram-store.ts'

const pollLock = 7_102_394_831

type Poller = Pick<Context, 'db' | 'databaseUrl' | 'config' | 'log'>

/** Reads updates until disposed; without a bot it does nothing. */
export function followTelegram(ctx: Poller, { pause = 5_000, seconds = 50 } = {}): AsyncDisposable {
  const stopping = new AbortController()
  const ended =
    ctx.config.telegramBotToken === undefined
      ? Promise.resolve()
      : keepPolling(ctx, { pause, seconds, stop: stopping.signal })
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      // A database that is gone must not prevent the service from stopping.
      await Promise.race([ended, delay(5_000)])
    },
  }
}

interface Polling {
  /** Milliseconds between two attempts to get the lock. */
  pause: number
  /** The seconds for which a poll waits for updates. */
  seconds: number
  stop: AbortSignal
}

async function keepPolling(ctx: Poller, { pause, seconds, stop }: Polling) {
  const backoff = createBackoff({ first: 1_000, longest: minute })
  let logged = ''
  while (!stop.aborted) {
    try {
      await using session = await openSession(ctx.databaseUrl, 'parley telegram')
      for (let held = false; !stop.aborted;) {
        held = await holdsLock(session, held)
        if (held) {
          await pollOnce(ctx, stop, seconds)
          backoff.reset()
          logged = ''
        } else await delay(pause, stop)
      }
    } catch (error) {
      const reason = (error as Error).message
      // This is logged once, until it works again or fails otherwise.
      if (reason !== logged && !stop.aborted) ctx.log.warn(`Telegram is not read: ${reason}`)
      logged = reason
      await delay(backoff.next(), stop)
    }
  }
}

/** Returns true when this connection still has the lock, or gets it now. It has the lock for as long as it is open. */
async function holdsLock({ query }: Session, held: boolean): Promise<boolean> {
  const [row] = held
    ? await query<{ held: boolean }>('select true as held')
    : await query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [pollLock])
  return row!.held
}

const problems: Record<number, string> = {
  0: 'it does not answer',
  401: 'it refuses the token: set TELEGRAM_BOT_TOKEN again',
  404: 'it does not know the token: set TELEGRAM_BOT_TOKEN again',
  409: 'somebody else reads the updates of this bot, or it has a webhook',
}

/** Reads the updates that there are, or waits for some. */
export async function pollOnce({ db, config }: Poller, stop: AbortSignal, seconds: number): Promise<void> {
  const bot = await getBot(config, stop)
  if ('ok' in bot) return fail(bot, stop)
  const parameters = {
    offset: await store.getNextUpdate(db, bot.id),
    limit: 20,
    timeout: seconds,
    allowed_updates: ['message'],
  }
  const options = { seconds: seconds + 10, signal: stop }
  const answer = await callTelegram(config, 'getUpdates', parameters, options)
  if (!answer.ok) return fail(answer, stop)
  const Value = await loadValue()
  if (!Value.Check(Updates, answer.result)) throw new Error('it answers something that is not documented')
  for (const { update_id: id, message } of answer.result)
    await take(db, bot.id, id, Value.Check(Message, message) ? message : undefined)
}

/** Says what is wrong, once another call to Telegram is allowed. */
async function fail({ status, retryAfter }: Failure, stop: AbortSignal): Promise<void> {
  if (stop.aborted) return
  if (retryAfter !== undefined) await delay(Math.min(retryAfter, 3600) * 1000, stop)
  throw new Error(problems[status] ?? `it answers ${status}`)
}

const Updates = Type.Array(
  Type.Object({ update_id: Type.Integer({ minimum: 0 }), message: Type.Optional(Type.Unknown()) }),
)

const Message = Type.Object({
  text: Type.Optional(Type.String()),
  chat: Type.Object({ id: Type.Integer(), type: Type.String() }),
  from: Type.Optional(
    Type.Object({
      id: Type.Integer(),
      is_bot: Type.Boolean(),
      first_name: Type.String(),
      last_name: Type.Optional(Type.String()),
    }),
  ),
})

/** Does what an update requests. An update of another kind is done at once. */
const take = (db: Db, botId: number, updateId: number, message: Static<typeof Message> | undefined) =>
  store.doOnce(db, botId, updateId, async (tx) => {
    if (!message) return
    const { text = '', chat, from } = message
    const [, command, code] = /^\/(start|stop)(?:@\w+)?(?:\s+([\w-]{1,64}))?\s*$/i.exec(text) ?? []
    const isStart = command?.toLowerCase() === 'start'
    const isPrivate = chat.type === 'private' && from && !from.is_bot && from.id === chat.id
    const person = isPrivate ? { chat: chat.id, name: nameOf(from) } : undefined
    const isLinked = isStart && code !== undefined && (await useCode(tx, code, person))
    // Strangers read what is written in a group: its code is used up, and it gets no reply.
    if (!isPrivate) return
    if (isLinked) await enqueueAnswer(tx, { chat_id: chat.id, say: 'linked' })
    else if (command !== undefined && !isStart) {
      await store.unlinkChat(tx, chat.id)
      await enqueueAnswer(tx, { chat_id: chat.id, say: 'stopped' })
    } else await enqueueAnswer(tx, { chat_id: chat.id, say: code === undefined ? 'help' : 'no-code' })
  })

/** Uses up a code, and links the chat of a person to its wallet; returns whether the code was valid. */
async function useCode(tx: Db, code: string, person: { chat: number; name: string } | undefined) {
  const owner = await store.ownerOfCode(tx, code)
  if (owner === undefined) return false
  return adding(tx, owner, 'telegram', async (granted, notify) => {
    // A sign-out everywhere at the same time has deleted it by now.
    const wallet = await store.takeCode(granted, code)
    if (wallet === undefined) return false
    if (!person) return true
    await store.link(granted, wallet, person.chat, person.name)
    await notify(person.name)
    return true
  })
}

/** Returns a person's name on Telegram, in a bounded text that can be stored and shown. */
function nameOf({ first_name: first, last_name: last = '' }: { first_name: string; last_name?: string }) {
  const name = `${first} ${last}`
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
  return Array.from(name).slice(0, 64).join('')
}

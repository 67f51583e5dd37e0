// Sends messages by the bot of Telegram. It takes thirty a second of a bot, and one a second for a chat. The jobs are in four
// queues by their chat; of a queue one runs at a time on all instances, and takes its share of a second beside the call. So no
// instance needs to know what others send.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Payloads, Tasks } from '../../jobs/tasks.ts'
import { telegrams } from '../../telemetry/telegram-metrics.ts'
import type { Push } from './push-service.ts'
import { type Answer, callTelegram } from './telegram-api.ts'
import * as store from './telegram-store.ts'

const queues = 4
/** Milliseconds of a queue for a message: all queues together send 29 a second at most. */
const share = Math.ceil((queues * 1000) / 29)
/** Milliseconds between two messages to a chat, of which no two jobs run at once. */
const pause = 1_000
/** When Telegram refuses the token. */
const refusedPause = 10 * 60_000
/** After so many milliseconds a message is no news. */
const newsFor = 6 * 3_600_000

const optionsOf = (chatId: number, key: string, at?: number) => ({
  key,
  queue: `telegram ${Math.abs(chatId) % queues}`,
  ...(at !== undefined && { runAt: new Date(at) }),
})

type Notice = Payloads['send-telegram']

export const enqueueTelegram = (tx: Db, chatId: number, notice: Notice, at?: number) =>
  enqueue(tx, 'send-telegram', notice, optionsOf(chatId, noticeKey(notice), at))

const noticeKey = ({ walletaddr, about, chat }: Notice) =>
  `send-telegram ${walletaddr} ${chat === undefined ? (about ?? '') : `chat ${chat}`}`

type Reply = Payloads['answer-telegram']

export const enqueueAnswer = (tx: Db, reply: Reply, at?: number) =>
  enqueue(
    tx,
    'answer-telegram',
    reply,
    optionsOf(reply.chat_id, `answer-telegram ${reply.chat_id} ${reply.say}`, at),
  )

/** A message that a job sends. What it says is asked once it has its turn. */
interface Sending {
  chatId: number
  /** Epoch milliseconds. */
  since: number
  /** Undefined when there is nothing to tell any more. */
  text: () => Promise<string | undefined>
  again: (at: number) => Promise<unknown>
}

/** Sends a message, or sees to it that it is sent later. */
export async function sendInTurn(ctx: Context, { chatId, since, text, again }: Sending): Promise<void> {
  const { db, config } = ctx
  const isNews = (at: number) => at - since <= newsFor
  if (config.telegramBotToken === undefined || !isNews(db.now())) return
  const turn = await store.nextTurn(db, chatId)
  if (turn > 0) {
    if (isNews(turn)) await again(turn)
    return
  }
  const said = await text()
  if (said === undefined) return
  const answer = await callTelegram(config, 'sendMessage', messageOf(chatId, said), { seconds: 15 })
  await sleep(share)
  await store.pauseChat(db, chatId, db.now() + pause - share)
  const outcome = outcomeOf(answer)
  telegrams.inc({ outcome: outcome.what })
  await follow(ctx, chatId, outcome, async (at) => isNews(at) && again(at))
}

const messageOf = (chatId: number, text: string) => ({
  chat_id: chatId,
  // No `parse_mode`: nothing in it is markup.
  text,
  link_preview_options: { is_disabled: true },
})

type Outcome =
  | { what: 'sent' | 'gone' }
  | { what: 'refused'; status: number }
  /** Without a time it is tried as jobs are. */
  | { what: 'later'; status: number; seconds?: number }

function outcomeOf(answer: Answer): Outcome {
  if (answer.ok) return { what: 'sent' }
  const { status, description, retryAfter, hasMoved } = answer
  // The person has blocked the bot, or is gone. A chat that has become another one is not followed there.
  if (status === 403 || hasMoved || (status === 400 && /chat not found/i.test(description)))
    return { what: 'gone' }
  if (status === 429) return { what: 'later', status, seconds: retryAfter ?? 30 }
  if (status === 401 || status === 404) return { what: 'later', status, seconds: refusedPause / 1000 }
  return status === 0 || status >= 500 ? { what: 'later', status } : { what: 'refused', status }
}

/** What follows from an answer. */
async function follow(
  { db, log }: Pick<Context, 'db' | 'log'>,
  chatId: number,
  outcome: Outcome,
  again: (at: number) => Promise<unknown>,
): Promise<void> {
  if (outcome.what === 'gone') await store.unlinkChat(db, chatId)
  else if (outcome.what === 'refused') log.warn({ status: outcome.status }, 'Telegram has refused a message')
  else if (outcome.what === 'later') {
    const { status, seconds } = outcome
    if (seconds === undefined) throw new Error(`Telegram answers ${status === 0 ? 'nothing' : status}`)
    const until = db.now() + Math.ceil(seconds * 1000)
    // All wait: Telegram does not say whether it means this chat or the bot.
    await store.pauseAll(db, until)
    if (status !== 429) log.error({ status }, 'Telegram refuses TELEGRAM_BOT_TOKEN')
    await again(until)
  }
}

/** What a notice says: who and how much, and where to read it. Never a text. */
export const noticeOf = (publicUrl: string, { title, body, url }: Push, showsName: boolean): string =>
  // The path names who wrote.
  `${unlinked(`${title}: ${body}`)}\n${publicUrl}${showsName ? url : '/'}`

/**
 * A text in which Telegram finds no link, mention, hashtag or command: it takes `t.me/x`, `@x`, `#x` and `/x` for one also
 * without markup. A character that joins words and is not seen (U+2060) stands behind what they begin or are made with.
 */
const unlinked = (text: string) => text.replaceAll(/[.@#$/:]/g, (one) => `${one}\u2060`)

const answers = (publicUrl: string): Record<Reply['say'], string> => ({
  linked: `You are told here of messages at ${publicUrl} from now on: who wrote, never what. /stop ends it.`,
  stopped: `You are told nothing more here. Link this chat again in the settings: ${publicUrl}/settings`,
  'no-code': `This link is used, or older than ten minutes. Make a new one in the settings: ${publicUrl}/settings`,
  help: `I tell you of messages at ${publicUrl}. To begin, link this chat in the settings: ${publicUrl}/settings\n/stop ends it.`,
})

export const telegramAnswers: Pick<Tasks<Context>, 'answer-telegram'> = {
  'answer-telegram': (ctx, reply, job) => {
    const { chat_id: chatId, say, since = job.createdAt.getTime() } = reply
    return sendInTurn(ctx, {
      chatId,
      since,
      text: async () => answers(ctx.config.publicUrl)[say],
      again: (at) => enqueueAnswer(ctx.db, { ...reply, since }, at),
    })
  },
}

// This channel sends messages by the Telegram bot. Telegram accepts thirty a second from a bot, and one a second for a chat. The
// jobs are in four queues by their chat; one job of a queue runs at a time on all instances, and uses its share of a second
// beside the call. So no instance needs to know what others send.

import { setTimeout as sleep } from 'node:timers/promises'
import { telegrams } from '../../telemetry/metrics.ts'
import type { InstantChannel, Outcome, Target } from './channel.ts'
import { isQuiet } from './push-content.ts'
import { type Answer, callTelegram } from './telegram-api.ts'
import { getLink, nextTurn, pauseAll, pauseChat, unlinkChat } from './telegram-store.ts'

const queues = 4
/** Milliseconds of a queue for a message: all queues together send 29 a second at most. */
const share = Math.ceil((queues * 1000) / 29)
/** Milliseconds between two messages to a chat, for which no two jobs run at once. */
const pause = 1_000
/** Seconds without messages after Telegram has refused the token. */
const refusedPause = 600

export interface LinkedChat extends Target {
  chatId: number
}

/** A wallet has one chat, so a job names no other: one that is linked meanwhile gets what waits. */
export const linkedChat = (chatId: number): LinkedChat => ({ id: 'chat', chatId })

interface Message {
  text: string
  quiet: boolean
}

export const telegram: InstantChannel<LinkedChat, Message> = {
  pace: 'instant',
  name: 'telegram',
  server: 'Telegram',
  reaches: { walletsOf: 'telegram_links' },
  preview: 'name',

  async findTargets({ db, config }, wallet) {
    const link = config.telegramBotToken === undefined ? undefined : await getLink(db, wallet)
    return link ? [linkedChat(link.chat_id)] : []
  },

  // The path names the sender.
  build: ({ publicUrl }, push, preview) => ({
    text: `${unlinked(`${push.title}: ${push.body}`)}\n${publicUrl}${preview === 'none' ? '/' : push.url}${push.stop === undefined ? '' : `\nStop these: ${push.stop}`}`,
    quiet: isQuiet(push),
  }),

  async send({ db, config, log }, { chatId }, message) {
    const answer = await callTelegram(config, 'sendMessage', messageOf(chatId, message), { seconds: 15 })
    await sleep(share)
    await pauseChat(db, chatId, db.now() + pause - share)
    const sent = outcomeOf(answer)
    telegrams.inc({ outcome: sent.outcome })
    if (sent.retryAfter === undefined) return sent
    // All chats wait: Telegram does not say whether it means this chat or the bot.
    await pauseAll(db, db.now() + Math.ceil(sent.retryAfter * 1000))
    if (sent.status !== 429) log.error({ status: sent.status }, 'Telegram refuses TELEGRAM_BOT_TOKEN')
    return sent
  },

  deleteTarget: (db, { chatId }) => unlinkChat(db, chatId),

  cost: {
    queueOf: ({ chatId }) => `telegram ${Math.abs(chatId) % queues}`,
    nextTurn: (db, { chatId }) => nextTurn(db, chatId),
  },
}

const messageOf = (chatId: number, { text, quiet }: Message) => ({
  chat_id: chatId,
  // There is no `parse_mode`: nothing in it is markup.
  text,
  link_preview_options: { is_disabled: true },
  ...(quiet && { disable_notification: true }),
})

function outcomeOf(answer: Answer): Outcome {
  if (answer.ok) return { outcome: 'sent', status: 200 }
  const { status, description, retryAfter, hasMoved } = answer
  // The person has blocked the bot, or is gone. A chat that has a new id is not followed there.
  if (status === 403 || hasMoved || (status === 400 && /chat not found/i.test(description)))
    return { outcome: 'gone', status }
  if (status === 429) return { outcome: 'later', status, retryAfter: retryAfter ?? 30 }
  if (status === 401 || status === 404) return { outcome: 'later', status, retryAfter: refusedPause }
  return { outcome: status === 0 || status >= 500 ? 'later' : 'refused', status }
}

/**
 * Returns a text in which Telegram finds no link, mention, hashtag or command: it reads `t.me/x`, `@x`, `#x` and `/x` as one also
 * without markup. A character that joins words and is not seen (U+2060) stands behind what they begin or are made with.
 */
const unlinked = (text: string) => text.replaceAll(/[.@#$/:]/g, (one) => `${one}\u2060`)

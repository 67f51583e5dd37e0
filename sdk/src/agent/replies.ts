// How a handler replies, with a text or with one that grows, and why no reply is sent twice.
//
// A reply has an idempotency key that is made from the message. A text that grows is one message too: its first part is sent with
// such a key, and then replaced. That part is written down before, so that a handler that runs again after a kill sends the same
// one, gets the message that is there, and replaces its text.

import type { ChatItem } from '../contract/direct-messages.ts'
import { ApiError } from '../contract/errors.ts'
import type { GroupChatItem } from '../contract/group-chats.ts'
import { withoutUnseen } from '../unseen.ts'
import { createGrowth } from './growth.ts'
import { type Acting, untilAnswered } from './acting.ts'
import type { JournalKey } from './journal.ts'
import type { Received } from './received.ts'

export interface Replies {
  /**
   * Replies where the message was written. Resolves when the reply is stored; each call of a handler sends one message, and a
   * retry of the handler after a failure sends none twice. It is false when there was a reply before, maybe in other words.
   * Throws a 400 for a text with invisible characters: `withoutUnseen` of `@parley/sdk/unseen` removes them.
   */
  reply: (text: string) => Promise<boolean>
  /**
   * Replies as `reply` does, with a text whose parts come one after the other. A bot whose key has `message:edit` shows what it
   * has so far, at most once a second in the first two minutes; all others send the text when it is complete. Invisible
   * characters are left out.
   */
  stream: (parts: AsyncIterable<string> | Iterable<string>) => Promise<boolean>
}

/** Returns what a handler replies with, and whether it has. */
export function repliesTo(agent: Acting, message: Received, key: JournalKey) {
  const { journal, signal } = agent
  let count = 0
  let hasReplied = false

  /** Returns the message; undefined when an earlier one has the key. */
  async function send(number: number, text: string): Promise<ChatItem | GroupChatItem | undefined> {
    try {
      const item = await store(agent, message, text, number === 0 ? `agent:${key}` : `agent:${key}:${number}`)
      hasReplied = true
      return item
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'idempotency_mismatch')) throw error
      hasReplied = true
      return undefined
    }
  }

  /** Sends the beginning of a text, and returns what shows the rest. */
  async function begin(number: number, text: string) {
    await journal.beginText(key, number, text)
    const item = await send(number, text)
    if (item && 'held' in item && item.held)
      throw new Error(`Post ${item.id} waits for a moderator, so its text cannot grow: use reply here.`)
    return item && createGrowth(agent, item)
  }

  async function stream(parts: AsyncIterable<string> | Iterable<string>): Promise<boolean> {
    const number = count++
    const begun = journal.begun(key)?.texts?.[number]
    const grows = begun !== undefined || (await mayReplace(agent))
    let text = ''
    let growth: Awaited<ReturnType<typeof begin>>
    try {
      for await (const part of parts) {
        signal.throwIfAborted()
        text += part
        if (!grows || wellFormed(text).trim() === '') continue
        growth ??= await begin(number, begun ?? wellFormed(text))
        if (!growth) return false
        growth.show(() => wellFormed(text))
      }
      signal.throwIfAborted()
      if (growth) return await growth.finish(wellFormed(text))
    } finally {
      growth?.stop()
    }
    return (await send(number, wellFormed(text))) !== undefined
  }

  const replies: Replies = { reply: async (text) => (await send(count++, text)) !== undefined, stream }
  return { replies, hasReplied: () => hasReplied }
}

/** Returns a text that may end within a character as the service takes it. */
const wellFormed = (text: string): string => withoutUnseen(text.replace(/[\ud800-\udbff]$/, ''))

/** Returns true when the wallet is a bot and its key may edit: only bots replace a text while they make it. */
async function mayReplace({ parley, wallet, signal }: Acting): Promise<boolean> {
  if (!wallet.scopes.includes('message:edit')) return false
  wallet.isBot ||= (await parley.getBot(undefined, untilAnswered(signal))).is_bot
  return wallet.isBot
}

async function store(
  { parley, wallet, signal }: Acting,
  { chat, from }: Received,
  message: string,
  idempotencyKey: string,
): Promise<ChatItem | GroupChatItem> {
  const options = { ...untilAnswered(signal), idempotencyKey }
  const body = { fromaddr: wallet.address, message }
  const [item] =
    chat === undefined
      ? await parley.sendDirectMessage({ body: { ...body, toaddr: from } }, options)
      : await parley.postGroupMessage({ body: { ...body, nftaddr: chat } }, options)
  return item!
}

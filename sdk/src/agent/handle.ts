// Gives a message to its handler: which one, how often it is tried, and how an answer is sent once.
//
// Written down first that it begins, then handler and answer, then written down that it is done. An answer has a key that is
// made of the message, so a message that is handled again after a kill is not answered again. The service keeps these keys
// for a day: a message that was begun longer ago is handled again only where nothing was written after it.

import type { CallOptions, Client } from '../client.ts'
import { ApiError } from '../contract/errors.ts'
import { mentions } from '../mentions.ts'
import { pages } from '../pages.ts'
import { pause, waitAfter } from '../retry.ts'
import type { Journal, Kind } from './journal.ts'
import type { Received } from './received.ts'

export interface Handled extends Received {
  /**
   * Answers where the message was written. Ends when the answer is stored; each call of a handler sends one message, and
   * repeating the handler after a failure sends none twice. It is false when this was answered before, maybe in other words.
   */
  reply: (text: string) => Promise<boolean>
  /** Aborted when the agent ends. */
  signal: AbortSignal
}
export type Handler = (message: Handled) => unknown

/** A message of which nobody knows whether it was answered: it is not given to a handler again. */
export class MaybeAnswered extends Error {
  override name = 'MaybeAnswered'
}

export interface Handling {
  parley: Client
  wallet: { address: string; name?: string | undefined }
  journal: Journal
  handlers: Partial<Record<Kind, Handler>>
  attempts: number
  /** What was passed over, and why. */
  passedOver: (error: unknown, message: Received) => void
  signal: AbortSignal
}

/** The service keeps a key for 24 hours by its own clock. */
const keysLast = 23 * 3_600_000
/** Milliseconds to wait after the first failure of a handler, and the longest wait. */
const firstWait = 1_000
const longestWait = 30_000

/** A call of the agent: repeated until it is answered, or the agent ends. */
export const untilAnswered = (signal: AbortSignal): CallOptions => ({
  signal,
  retry: { attempts: Infinity, longestWait: Infinity },
})

/** Answers when the message is done. Throws when the agent cannot go on. */
export async function handle(agent: Handling, message: Received): Promise<void> {
  const { journal, signal, passedOver } = agent
  signal.throwIfAborted()
  const before = journal.begun(message.id)
  const kind = before?.kind ?? (await kindOf(agent, message))
  const handler = kind && agent.handlers[kind]
  if (!handler) return
  if (before && Date.now() - before.at > keysLast && (await hasWrittenSince(agent, message)))
    return passedOver(
      new MaybeAnswered(
        'It was begun more than 23 hours ago, and this wallet has written there since: that may be its answer.',
      ),
      message,
    )
  await journal.begin(message.id, { at: Date.now(), kind })
  for (let failures = 1; ; failures++) {
    try {
      return void (await handler(withReply(agent, message)))
    } catch (error) {
      signal.throwIfAborted()
      if (isFinal(error)) throw error
      if (failures >= agent.attempts) return passedOver(error, message)
      await pause(waitAfter(error, failures, firstWait, longestWait), error, signal)
      signal.throwIfAborted()
    }
  }
}

/** No other message would fare better. */
const isFinal = (error: unknown) => error instanceof ApiError && error.code === 'unauthorized'

/** As what a message is given to the agent; undefined for not at all. */
async function kindOf({ parley, wallet, handlers, signal }: Handling, message: Received) {
  const { chat, from, id, text = '' } = message
  if (from === wallet.address) return undefined
  if (chat !== undefined) return mentions(text, wallet) ? 'mention' : undefined
  if (!handlers.dm && !handlers.request) return undefined
  const { state } = await parley.getContact({ peer: from }, untilAnswered(signal))
  if (state === 'accepted') return 'dm'
  if (state !== 'unknown') return undefined
  const query = { before: id, limit: 1 }
  const earlier = await parley.listConversation(
    { fromaddr: from, toaddr: wallet.address, query },
    untilAnswered(signal),
  )
  return earlier.length === 0 ? 'request' : undefined
}

function withReply({ parley, wallet, signal }: Handling, message: Received): Handled {
  const { id, from, chat } = message
  let count = 0
  const reply = async (text: string): Promise<boolean> => {
    const number = count++
    const options = {
      ...untilAnswered(signal),
      idempotencyKey: number === 0 ? `agent:${id}` : `agent:${id}:${number}`,
    }
    const body = { fromaddr: wallet.address, message: text }
    try {
      await (chat === undefined
        ? parley.sendDirectMessage({ body: { ...body, toaddr: from } }, options)
        : parley.postGroupMessage({ body: { ...body, nftaddr: chat } }, options))
      return true
    } catch (error) {
      if (error instanceof ApiError && error.code === 'idempotency_mismatch') return false
      throw error
    }
  }
  return { ...message, reply, signal }
}

/** Whether the wallet has written in a conversation or a chat after a message. */
async function hasWrittenSince(agent: Handling, { id, from, chat }: Received): Promise<boolean> {
  const { parley, signal } = agent
  const { address } = agent.wallet
  const query = { after: id }
  const options = untilAnswered(signal)
  const lists =
    chat === undefined
      ? pages(parley.listConversation, { fromaddr: from, toaddr: address, query }, options)
      : pages(
          parley.listGroupMessages,
          { address: chat, useraddress: address, query: { ...query, enter: false } },
          options,
        )
  for await (const page of lists) if (page.some(({ fromaddr }) => fromaddr === address)) return true
  return false
}

// This gives a message to its handler: which one, how often it is tried, and how a reply is sent once.
//
// It writes down that it begins, runs the handler and sends the reply, then writes down that it is done. A reply has a key that
// is made from the message, so a message that is handled again after a kill gets no second reply. The service stores these keys
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
   * Replies where the message was written. Resolves when the reply is stored; each call of a handler sends one message, and a
   * retry of the handler after a failure sends none twice. It is false when there was a reply before, maybe in other words.
   * Throws a 400 for a text with invisible characters: `withoutUnseen` of `@parley/sdk/unseen` removes them.
   */
  reply: (text: string) => Promise<boolean>
  /** Aborted when the agent ends. */
  signal: AbortSignal
}
export type Handler = (message: Handled) => unknown

/** Says that nobody knows whether a message has a reply: the handler does not receive it again. */
export class MaybeAnswered extends Error {
  override name = 'MaybeAnswered'
}

export interface Handling {
  parley: Client
  wallet: { address: string; name?: string | undefined }
  journal: Journal
  handlers: Partial<Record<Kind, Handler>>
  attempts: number
  /** Is called with what was left out, and why. */
  passedOver: (error: unknown, message: Received) => void
  signal: AbortSignal
}

/** The service stores a key for 24 hours by its own clock. */
const keysLast = 23 * 3_600_000
/** The milliseconds to wait after the first failure of a handler, and the longest wait. */
const firstWait = 1_000
const longestWait = 30_000

/** Options for a call of the agent: retried until there is a response, or the agent ends. */
export const untilAnswered = (signal: AbortSignal): CallOptions => ({
  signal,
  retry: { attempts: Infinity, longestWait: Infinity },
})

/** Resolves when the message is done. Throws when the agent cannot go on. */
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

/** Returns true when every other message would fail too. */
const isFinal = (error: unknown) => error instanceof ApiError && error.code === 'unauthorized'

/** Returns the kind under which the agent receives a message; undefined for none. */
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

/** Returns true when the wallet has written in a conversation or a chat after a message. */
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

// This gives a message to its handler: which one, how often it is tried, and how a reply is sent once.
//
// It writes down that it begins, runs the handler and sends the reply, then writes down that it is done. A reply has a key that
// is made from the message, so a message that is handled again after a kill gets no second reply. The service stores these keys
// for a day: a message that was begun longer ago is handled again only where nothing was written after it.

import { ApiError } from '../contract/errors.ts'
import { mentions } from '../mentions.ts'
import { pages } from '../pages.ts'
import { pause, waitAfter } from '../retry.ts'
import { type Acting, untilAnswered } from './acting.ts'
import { type JournalKey, keyOfEdit, type Kind } from './journal.ts'
import type { Edit, Received } from './received.ts'
import { type Replies, repliesTo } from './replies.ts'

export interface Handled extends Received, Replies {
  /** Aborted when the agent ends. */
  signal: AbortSignal
}
/** A message that was edited after the agent had answered it, as it is now. */
export interface Edited extends Handled {
  revision: number
}
export type Handler = (message: Handled) => unknown
export interface Handlers {
  dm?: Handler
  mention?: Handler
  request?: Handler
  edited?: (message: Edited) => unknown
}

/** Says that nobody knows whether a message has a reply: the handler does not receive it again. */
export class MaybeAnswered extends Error {
  override name = 'MaybeAnswered'
}

export interface Handling extends Acting {
  handlers: Handlers
  attempts: number
  /** Is called with what was left out, and why. */
  passedOver: (error: unknown, message: Received) => void
}

/** The service stores a key for 24 hours by its own clock. */
const keysLast = 23 * 3_600_000
/** The milliseconds to wait after the first failure of a handler, and the longest wait. */
const firstWait = 1_000
const longestWait = 30_000

/** Resolves when the message is done. Throws when the agent cannot go on. */
export async function handle(agent: Handling, message: Received): Promise<void> {
  const { journal, handlers, signal } = agent
  signal.throwIfAborted()
  const begun = journal.begun(message.id)?.kind
  const kind = begun === undefined || begun === 'edited' ? await kindOf(agent, message) : begun
  const handler = kind && handlers[kind]
  if (!handler) return
  const hasReplied = await attempt(agent, message, message.id, kind, handler)
  if (hasReplied && handlers.edited) journal.answer(message.id, message.revision ?? 0)
}

/** Resolves when an edit of a message is done: its handler receives it where the agent has answered an earlier text. */
export async function handleEdit(agent: Handling, message: Edit): Promise<void> {
  const { parley, journal, handlers, signal } = agent
  signal.throwIfAborted()
  const { id, from, chat, revision } = message
  const handler = handlers.edited
  if (!handler || revision <= (journal.answered(id) ?? Infinity)) return
  if (chat === undefined) {
    const { state } = await parley.getContact({ peer: from }, untilAnswered(signal))
    if (state !== 'accepted') return
  }
  await attempt(agent, message, keyOfEdit(message), 'edited', (handled) => handler({ ...handled, revision }))
  journal.answer(id, revision)
}

/** Calls a handler until it succeeds or has failed too often. Returns whether it has replied. */
async function attempt(
  agent: Handling,
  message: Received,
  key: JournalKey,
  kind: Kind,
  handler: Handler,
): Promise<boolean> {
  const { journal, signal, passedOver } = agent
  const before = journal.begun(key)
  if (before && Date.now() - before.at > keysLast && (await hasWrittenSince(agent, message))) {
    passedOver(
      new MaybeAnswered(
        'It was begun more than 23 hours ago, and this wallet has written there since: that may be its answer.',
      ),
      message,
    )
    return false
  }
  await journal.begin(key, { at: Date.now(), kind })
  for (let failures = 1; ; failures++) {
    const { replies, hasReplied } = repliesTo(agent, message, key)
    try {
      await handler({ ...message, ...replies, signal })
      return hasReplied()
    } catch (error) {
      signal.throwIfAborted()
      if (isFinal(error)) throw error
      if (failures >= agent.attempts) {
        passedOver(error, message)
        return hasReplied()
      }
      await pause(waitAfter(error, failures, firstWait, longestWait), error, signal)
      signal.throwIfAborted()
    }
  }
}

/** Returns true when every other message would fail too. */
const isFinal = (error: unknown) => error instanceof ApiError && error.code === 'unauthorized'

/** Returns the kind under which the agent receives a message; undefined for none. */
async function kindOf(
  { parley, wallet, handlers, signal }: Handling,
  message: Received,
): Promise<Exclude<Kind, 'edited'> | undefined> {
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

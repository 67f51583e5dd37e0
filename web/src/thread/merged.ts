// The messages that a thread shows: stored ones, those that wait to be sent, and lines between them.

import { useMemo } from 'react'
import type { Line, Message } from '../messages/message.ts'
import { useBlocked } from '../names/blocked.ts'
import { useMe } from '../service/session.ts'
import { type EditEntry, type Entry, isMessage, type MessageEntry, shownAs } from './entries.ts'
import { useOutbox } from './outbox.ts'
import { useWithPinLines } from './pin-lines.tsx'
import type { PinsOf } from './pins-of.ts'
import { withQuotes } from './quotes.ts'
import { withOwn } from './reaction-lists.ts'
import { shownOf } from './uploads.ts'

export type StoredMessage = Omit<Message, 'key'>

interface Parts {
  stored: StoredMessage[]
  /** A reply may quote these: all messages, where `stored` leaves some out. */
  quotable: StoredMessage[]
  lines: Line[]
  /** What is pinned there has lines too. */
  pins: PinsOf | undefined
  /** This is true when there are no older messages. */
  isWhole: boolean
  /** This is true when there are no newer messages: then come those that wait to be sent. */
  isEnd: boolean
}

/** Returns the messages of a thread, and the lines after the last one. */
export function useMessages(
  thread: string,
  { stored, quotable, lines: others, pins, isWhole, isEnd }: Parts,
): [Message[], Line[]] {
  const me = useMe()
  const lines = useWithPinLines(pins, quotable, others)
  const pending = useOutbox(thread)
  const blocked = useBlocked()
  return useMemo(() => {
    const sent = isEnd ? pending.filter(isMessage) : []
    const changed = merge(stored, sent, me).map((one) => withChanges(one, pending))
    const all = withQuotes(changed, { all: quotable, isWhole, blocked })
    const [messages, after] = withLines(all, lines, isWhole)
    return [messages, isEnd ? after : []]
  }, [stored, quotable, pending, me, lines, isWhole, isEnd, blocked])
}

/**
 * Merges stored and pending messages. A message that is both is shown once, also before its response has come: then it
 * is one of the same text that is not known to be another.
 */
function merge(stored: StoredMessage[], pending: MessageEntry[], me: string): Message[] {
  const messages = stored.map((message) => ({ ...message, key: shownAs(message.id) }))
  const keys = new Set(messages.map(({ key }) => key))
  const waiting = pending.filter(({ id }) => !keys.has(id))
  const doubles = new Set<Message>()
  for (const { text, earlier = [], timestamp } of waiting
    .filter(({ state }) => state !== 'failed')
    .toReversed()) {
    const double = messages.findLast(
      (one) =>
        one.mine &&
        one.key === String(one.id) &&
        [text, ...earlier.map((before) => before.text)].includes(one.text) &&
        Date.parse(one.timestamp) >= Date.parse(timestamp) &&
        !doubles.has(one),
    )
    if (double) doubles.add(double)
  }
  return [...messages.filter((one) => !doubles.has(one)), ...waiting.map((entry) => toMessage(entry, me))]
}

/**
 * Puts lines between messages, each above the first message that is later, and returns those after the last message
 * separately. `isWhole` says whether the messages begin with the first of all: else lines above the first one shown
 * belong to older messages.
 */
function withLines(messages: Message[], lines: Line[], isWhole: boolean): [Message[], Line[]] {
  if (lines.length === 0) return [messages, []]
  const all = messages.map((message, index) => {
    const from = index === 0 ? (isWhole ? 0 : timeOf(message)) : timeOf(messages[index - 1]!)
    const above = lines.filter(({ at }) => Date.parse(at) > from && Date.parse(at) <= timeOf(message))
    return above.length > 0 ? { ...message, above } : message
  })
  const last = messages.at(-1)
  return [all, lines.filter(({ at }) => last && Date.parse(at) > timeOf(last))]
}

const timeOf = ({ timestamp }: Message): number => Date.parse(timestamp)

/** Returns a message with its changes that wait to be sent. A refused edit is not shown: its writer gets the text back. */
const withChanges = (message: Message, pending: Entry[]): Message =>
  message.id === 0 ? message : pending.reduce(withChange, message)

function withChange(message: Message, entry: Entry): Message {
  if (isMessage(entry) || entry.about !== message.id) return message
  if (entry.endpoint === 'react') return { ...message, reactions: withOwn(message.reactions, entry.values) }
  return entry.state === 'failed' ? message : withEdit(message, entry)
}

const withEdit = (
  message: Message,
  { text, state, problem, encrypt, version, body }: EditEntry,
): Message => ({
  ...message,
  text,
  state,
  problem,
  lock: encrypt ? 'closed' : message.lock,
  version,
  revision: body.revision + 1,
})

/** Returns an entry of the outbox as a message. */
const toMessage = (
  { id, text, timestamp, state, problem, encrypt, body, uploads }: MessageEntry,
  me: string,
): Message => ({
  key: id,
  id: 0,
  mine: true,
  fromaddr: me,
  author: '',
  text,
  timestamp,
  state,
  problem,
  lock: encrypt ? 'closed' : undefined,
  replyTo: 'reply_to' in body ? body.reply_to : undefined,
  files: uploads && shownOf(uploads),
})

import type { Message, Quote } from '../messages/message.ts'

interface Options {
  /** These are all messages that a reply may quote, oldest first. */
  all: readonly Omit<Message, 'key'>[]
  /** This is true when there are no older ones. */
  isWhole: boolean
  /** The reader has blocked these wallets. */
  blocked: ReadonlySet<string>
}

/** Gives each reply what it shows of the message that it replies to. */
export function withQuotes<One extends Omit<Message, 'key'>>(messages: One[], options: Options): One[] {
  if (!messages.some(({ replyTo }) => replyTo !== undefined)) return messages
  const byId = new Map(options.all.map((message) => [message.id, message]))
  const shown = new Set(messages.map(({ id }) => id))
  const oldest = options.all[0]?.id ?? 0
  const quoteOf = (id: number): Quote => {
    const found = byId.get(id)
    const none = { id, author: '', text: '' }
    if (!found) return { ...none, state: id < oldest && !options.isWhole ? 'away' : 'gone' }
    if (found.removed) return { ...none, state: 'gone' }
    const author = found.mine ? 'You' : found.author
    const isHidden = options.blocked.has(found.fromaddr) && !shown.has(id)
    return { id, author, text: isHidden ? '' : found.text, state: isHidden ? 'hidden' : 'here' }
  }
  return messages.map((message) =>
    message.replyTo === undefined ? message : Object.assign({}, message, { quote: quoteOf(message.replyTo) }),
  )
}

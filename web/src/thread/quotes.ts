import type { Message, Quote } from '../messages/message.ts'
import { saidOfFiles } from '../messages/said.ts'

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
  const isReply = ({ replyTo, quoteCheck }: One) => replyTo !== undefined || quoteCheck === 'wrong'
  if (!messages.some(isReply)) return messages
  const byId = new Map(options.all.map((message) => [message.id, message]))
  const shown = new Set(messages.map(({ id }) => id))
  const oldest = options.all[0]?.id ?? 0
  const quoteOf = ({ replyTo: id = 0, quoteCheck, lock }: One): Quote => {
    const found = byId.get(id)
    const none = { id, author: '', text: '' }
    if (quoteCheck === 'wrong') return { ...none, state: 'wrong' }
    if (!found) return { ...none, state: id < oldest && !options.isWhole ? 'away' : 'gone' }
    if (found.removed) return { ...none, state: 'gone' }
    const author = found.mine ? 'You' : found.author
    if (options.blocked.has(found.fromaddr) && !shown.has(id))
      return { id, author, text: '', state: 'hidden' }
    return {
      id,
      author,
      text: quoteCheck === 'checking' ? '…' : (saidOfFiles(found) ?? found.text),
      state: 'here',
      ...(quoteCheck === 'edited' && { isEdited: true }),
      ...(lock === 'closed' && found.lock === undefined && { isClear: true }),
    }
  }
  return messages.map((message) =>
    isReply(message) ? Object.assign({}, message, { quote: quoteOf(message) }) : message,
  )
}

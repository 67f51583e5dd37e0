import type { Line, Message } from '../ui/message.ts'

/**
 * Puts lines between messages, each above the first message that is later; those after the last
 * message are answered apart. `isWhole` says whether the messages begin with the first of all: else
 * lines above the first one shown belong to older messages.
 */
export function withLines(messages: Message[], lines: Line[], isWhole: boolean): [Message[], Line[]] {
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

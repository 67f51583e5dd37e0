import { CircleAlert, CornerUpLeft, Lock, LockOpen } from 'lucide-react'
import { classes } from '../ui/classes.ts'
import { useEmojiNames } from './emoji/names.ts'
import { onOneLine } from './format.ts'
import type { Message, MessageActs, Quote, Reaction } from './message.ts'

/** Shows the message that this one replies to, above its text. A click goes to it. */
export function QuoteBlock({
  quote,
  goTo,
  mine,
}: {
  quote: Quote
  goTo: (id: number) => void
  mine: boolean
}) {
  const { id, author, text, state, isEdited, isClear } = quote
  const look = classes(
    'mb-1 block w-full min-w-0 rounded-lg border-s-3 border-current px-2.5 py-1 text-start text-sm',
    mine ? 'bg-on-bubble/10' : 'bg-hover',
  )
  if (state === 'gone' || state === 'hidden')
    return (
      <span className={look}>
        <span className="sr-only">In reply to: </span>
        <em>{state === 'gone' ? 'Message deleted' : 'Hidden message of somebody whom you have blocked'}</em>
      </span>
    )
  if (state === 'wrong')
    return (
      <span className={classes(look, 'channel-warn flex items-center gap-1.5 bg-channel-soft text-channel')}>
        <CircleAlert className="size-4 shrink-0" aria-hidden="true" /> Doesn’t match the original message
      </span>
    )
  return (
    <button type="button" onClick={() => goTo(id)} className={look}>
      <span className="sr-only">In reply to </span>
      {state === 'away' ? (
        <span className="flex items-center gap-1.5">
          <CornerUpLeft className="size-3.5" aria-hidden="true" /> Show the message
        </span>
      ) : (
        <>
          <span className="block truncate font-semibold">
            {author}
            {isClear && <LockOpen className="ms-1.5 inline size-3" role="img" aria-label="Not encrypted" />}
            {isEdited && <span className="font-normal"> (edited since)</span>}
          </span>
          <span className="line-clamp-2 wrap-anywhere">{onOneLine(text)}</span>
        </>
      )}
    </button>
  )
}

/** Pills beyond this number fold into one. */
const mostPills = 6

interface PillsProps {
  message: Message
  reactions: Reaction[]
  acts: MessageActs
}

/** Shows the reactions to a message, below its bubble. A click adds the reader's own, or takes it back. */
export function ReactionPills({ message, reactions, acts }: PillsProps) {
  const shown = reactions.slice(0, mostPills)
  const rest = reactions.length - shown.length
  const nameOf = useEmojiNames(shown.map(({ value }) => value))
  return (
    <div
      role="group"
      aria-label="Reactions"
      className={classes(
        'relative z-1 -mt-1.5 flex flex-wrap gap-1 px-2',
        message.lock === 'closed' ? 'channel-sealed' : 'channel-clear',
      )}
    >
      {shown.map(({ value, count, mine }) => (
        <button
          key={value}
          type="button"
          aria-pressed={mine === true}
          title={nameOf(value)}
          aria-label={`${nameOf(value)}, ${count}${mine ? ', you reacted' : ''}`}
          onClick={() => acts.react(message, value)}
          className={pill(mine === true)}
        >
          <span aria-hidden="true">{value}</span>
          <span aria-hidden="true" className="text-xs tabular-nums">
            {count > 99 ? '99+' : count}
          </span>
        </button>
      ))}
      {message.sealedReactions && <SealedPill {...message.sealedReactions} />}
      {shown.length > 0 && (
        <button
          type="button"
          aria-label={rest > 0 ? `Who reacted, and ${rest} more` : 'Who reacted'}
          onClick={() => acts.showReactions(message)}
          className={pill(false)}
        >
          <span aria-hidden="true" className="text-xs">
            {rest > 0 ? `+${rest}` : '…'}
          </span>
        </button>
      )}
    </div>
  )
}

const whyClosed = {
  waiting: 'A reaction that is being opened',
  locked: 'Unlock to see reactions',
  broken: 'A reaction that can’t be opened: it was changed, or is to another message',
}

/** Takes the place of reactions that are not open. */
const SealedPill = ({ why }: NonNullable<Message['sealedReactions']>) => (
  <span role="img" aria-label={whyClosed[why]} title={whyClosed[why]} className={pill(false)}>
    {why === 'locked' ? (
      <Lock className="size-3.5" />
    ) : why === 'broken' ? (
      <CircleAlert className="size-3.5" />
    ) : (
      '•'
    )}
  </span>
)

const pill = (isOn: boolean) =>
  classes(
    'inline-flex h-6.5 items-center gap-1 rounded-full border px-2 text-sm leading-none pointer-coarse:h-8 forced-colors:border',
    isOn
      ? 'border-channel bg-channel-soft font-semibold text-channel'
      : 'border-line bg-raised hover:bg-hover',
  )

import { CircleAlert, Ellipsis } from 'lucide-react'
import { type ComponentType, memo } from 'react'
import { classes } from './classes.ts'
import { BubbleTail } from './BubbleTail.tsx'
import { Menu } from './Menu.tsx'
import type { Message } from './message.ts'
import { MessageMeta } from './MessageMeta.tsx'
import { SafeText } from './SafeText.tsx'
import { Seal } from './Seal.tsx'
import { clock } from './time.ts'

interface BubbleProps {
  message: Message
  /** Whether the author is shown to all, not only told by screen readers: where more than two people write. */
  named: boolean
  /** Whether it bears the seal of its author. */
  stamped: boolean
  /** Whether the one before and the one after are of the same author, shortly before and after. */
  follows: boolean
  followed: boolean
  /** The options of a message. */
  menu: ComponentType<{ message: Message }>
  /** What stands beside the name of its author. */
  mark?: ComponentType<{ address: string }> | undefined
}

/**
 * A message. The last one of an author in a row has the tail and the time; those of the others are
 * beside the bubble while it is pointed at, and always there for screen readers.
 */
export const Bubble = memo(function Bubble(props: BubbleProps) {
  const { message, named, stamped, follows, followed, menu: Options, mark: Mark } = props
  const { mine, text, state, lock, removed, remark, context, mentionsMe, linksOff = false } = message
  const author = mine ? 'You' : message.author
  const quiet = mine ? 'text-bubble-muted' : 'text-muted'
  // What is not sent yet is always told.
  const timeInside = !followed || !(state === 'sent' || state === 'read')
  return (
    <div className={classes('group flex w-full items-center gap-1', mine && 'flex-row-reverse')}>
      <div
        // Focusable, so that a touch on the message shows its options.
        tabIndex={-1}
        className={classes(
          'relative min-w-0 max-w-[min(62ch,85%)] rounded-[1.125rem] px-3.5 py-2 outline-none forced-colors:border',
          colours(mine, lock),
          corners(mine, follows, followed),
          state === 'failed' && 'opacity-80',
          mentionsMe && 'ring-2 ring-accent',
        )}
      >
        <span className={named ? 'mb-0.5 block text-sm font-semibold text-accent' : 'sr-only'}>
          {author}
          {named && Mark && (
            <>
              {' '}
              <Mark address={message.fromaddr} />
            </>
          )}
          <span className="sr-only">{mentionsMe ? ' mentions you: ' : ': '}</span>
        </span>
        {context && <div className={classes('mb-1 text-sm', quiet)}>{context}</div>}
        {remark && <p className={classes('mb-0.5 text-xs', quiet)}>{remark}</p>}
        <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
          {lock === 'broken' ? (
            <em className="flex items-center gap-2">
              <CircleAlert className="size-4 shrink-0" aria-hidden="true" /> {text}
            </em>
          ) : removed ? (
            <em className={quiet}>{text}</em>
          ) : (
            <span>
              <SafeText text={text} linksOff={linksOff} />
            </span>
          )}
          {timeInside && (
            <MessageMeta message={message} className={classes('float-end mt-1.5 ms-3', quiet)} />
          )}
        </p>
        {stamped && (
          <span
            className={classes(
              'absolute -top-2 size-5.5 rounded-full border-2 border-page',
              mine ? '-end-2' : '-start-2',
            )}
          >
            <Seal seed={message.fromaddr} />
          </span>
        )}
        {!followed && <BubbleTail mine={mine} className={tailColour(mine, lock)} />}
      </div>
      <Menu
        align={mine ? 'end' : 'start'}
        trigger={
          <button
            type="button"
            aria-label={`Message options: ${author}, ${clock(message.timestamp)}, ${text.slice(0, 40)}`}
            className="grid size-8 shrink-0 place-items-center rounded-full text-muted opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 hover:bg-hover aria-expanded:opacity-100 pointer-coarse:size-11"
          >
            <Ellipsis className="size-4" aria-hidden="true" />
          </button>
        }
      >
        <Options message={message} />
      </Menu>
      {!timeInside && (
        <MessageMeta
          message={message}
          className="shrink-0 text-muted opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100"
        />
      )}
    </div>
  )
})

/** Indigo is what is encrypted. */
const colours = (mine: boolean, lock: Message['lock']): string => {
  if (!mine) return lock === 'closed' ? 'bg-theirs-sealed' : 'bg-theirs'
  return `bg-bubble text-on-bubble ${lock === 'closed' ? 'channel-sealed' : 'channel-clear'}`
}
const tailColour = (mine: boolean, lock: Message['lock']): string => {
  if (mine) return 'text-bubble'
  return lock === 'closed' ? 'text-theirs-sealed' : 'text-theirs'
}

/** Small corners where bubbles of one author meet, and at the tail. */
const corners = (mine: boolean, follows: boolean, followed: boolean): string =>
  mine
    ? classes(follows && 'rounded-tr-md', followed ? 'rounded-br-md' : 'rounded-br-none')
    : classes(follows && 'rounded-tl-md', followed ? 'rounded-bl-md' : 'rounded-bl-none')

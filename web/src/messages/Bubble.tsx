import { CircleAlert } from 'lucide-react'
import {
  type ComponentType,
  type CSSProperties,
  type KeyboardEvent,
  memo,
  useId,
  useRef,
  useState,
} from 'react'
import { classes } from '../ui/classes.ts'
import { barHandlers } from './bar.ts'
import { HoverBar, moveInBar } from './HoverBar.tsx'
import { useLongPress } from './long-press.ts'
import type { Message, MessageActs } from './message.ts'
import { QuoteBlock } from './MessageMarks.tsx'
import { MessageMeta } from './MessageMeta.tsx'
import { MessageFiles } from './file-parts.tsx'
import { saidOfFiles } from './said.ts'
import { SafeText } from './SafeText.tsx'
import { Seal } from '../seal/Seal.tsx'
import { sealHue } from '../seal/seal.ts'

interface BubbleProps {
  message: Message
  /** When true, everybody sees the author, not only screen readers: for threads of more than two people. */
  named: boolean
  /** When true, the bubble has the seal of its author. */
  stamped: boolean
  /**
   * This is true when the message before is by the same author shortly before; `followed` says the same for the next
   * one.
   */
  follows: boolean
  followed: boolean
  menu: ComponentType<{ message: Message }>
  /** This is shown beside the name of the author. */
  mark?: ComponentType<{ address: string }> | undefined
  acts?: MessageActs | undefined
}

/**
 * Shows a message. The last one of an author in a row has the tail and the time; the times of the others are beside the
 * bubble while the pointer is on it, and always there for screen readers.
 */
export const Bubble = memo(function Bubble(props: BubbleProps) {
  const { message, named, stamped, follows, followed, menu: Options, mark: Mark, acts } = props
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const press = useLongPress(() => setOpen(true))
  const id = useId()
  const { key, mine, state, remark, context, mention, quote } = message
  const author = mine ? 'You' : message.author
  const quiet = mine ? 'text-bubble-muted' : 'text-muted'
  // The state of an unsent message is always shown.
  const timeInside = !followed || !(state === 'sent' || state === 'read')
  return (
    <div
      className={classes('group flex w-full items-center gap-2', mine && 'flex-row-reverse')}
      {...barHandlers(key)}
    >
      <div className="relative min-w-0 max-w-[min(62ch,85%)]">
        <div
          ref={box}
          role="article"
          aria-labelledby={`${id}-author ${id}-files ${id}-text`}
          // The list gives it the focus.
          tabIndex={-1}
          data-message={key}
          {...press}
          onKeyDown={(event) => {
            if (event.target !== box.current) return
            if (opensMenu(event)) setOpen(true)
            else if (!toBar(event, box.current)) return
            event.preventDefault()
          }}
          className={classes(
            'relative flow-root rounded-[1.125rem] px-3.5 py-2 focus-visible:outline-2 focus-visible:outline-offset-2 pointer-coarse:[-webkit-touch-callout:none] pointer-coarse:select-none forced-colors:border',
            mine ? 'focus-visible:outline-channel' : 'focus-visible:outline-accent',
            colours(message),
            corners(mine, follows, followed),
            state === 'failed' && 'opacity-80',
            mention !== undefined && 'forced-colors:border-2',
          )}
        >
          <span
            id={`${id}-author`}
            className={named ? 'text-author mb-0.5 block text-sm font-semibold' : 'sr-only'}
            style={named ? ({ '--hue': sealHue(message.fromaddr) } as CSSProperties) : undefined}
          >
            {author}
            {named && Mark && (
              <>
                {' '}
                <Mark address={message.fromaddr} />
              </>
            )}
            <span className="sr-only">{mention !== undefined ? ' mentions you: ' : ': '}</span>
          </span>
          {context && <div className={classes('mb-1 text-sm', quiet)}>{context}</div>}
          {quote && acts && <QuoteBlock {...{ quote, mine }} goTo={(quoted) => acts.goTo(quoted, message)} />}
          {remark && <p className={classes('mb-0.5 text-xs', quiet)}>{remark}</p>}
          <Content {...{ id, message, acts, quiet, timeInside }} />
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
          {!followed && <BubbleTail mine={mine} className={tailColour(message)} />}
        </div>
        <HoverBar {...{ message, author, acts }} opened={{ open, setOpen, returnTo: box }}>
          <Options message={message} />
        </HoverBar>
      </div>
      {!timeInside && (
        <MessageMeta
          {...{ message, acts }}
          className="shrink-0 text-muted opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100"
        />
      )}
    </div>
  )
})

interface ContentProps extends Pick<BubbleProps, 'message' | 'acts'> {
  id: string
  quiet: string
  timeInside: boolean
}

/** Shows the files and the text, each with an id by which the message is named. */
function Content({ id, message, acts, quiet, timeInside }: ContentProps) {
  const { files, unreadableFiles, removed } = message
  const hasFiles = !removed && (files !== undefined || unreadableFiles !== undefined)
  const isBare = hasFiles && saidOfFiles(message) !== undefined
  const meta = (className: string) => <MessageMeta {...{ message, acts }} className={className} />
  return (
    <>
      {hasFiles && (
        <div id={`${id}-files`} className={classes(!isBare && 'mb-1')}>
          <MessageFiles message={message} meta={isBare && timeInside ? meta : undefined} />
        </div>
      )}
      {!isBare && (
        <div
          id={`${id}-text`}
          dir="auto"
          className={classes('wrap-anywhere whitespace-pre-wrap', hasFiles && 'max-w-80')}
        >
          <Said message={message} quiet={quiet} />
          {timeInside && meta(classes('float-end mt-1.5 ms-3', quiet))}
        </div>
      )}
    </>
  )
}

function Said({
  message: { text, lock, removed, mention, linksOff = false },
  quiet,
}: {
  message: Message
  quiet: string
}) {
  if (lock === 'broken')
    return (
      <em className="flex items-center gap-2">
        <CircleAlert className="size-4 shrink-0" aria-hidden="true" /> {text}
      </em>
    )
  if (removed) return <em className={quiet}>{text}</em>
  return (
    <div className="inline" data-said="">
      <SafeText text={text} linksOff={linksOff} mention={mention} />
    </div>
  )
}

const opensMenu = ({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  !altKey && !ctrlKey && !metaKey && (shiftKey ? key === 'F10' : key === 'Enter' || key === 'ContextMenu')

/** Moves from the message to the buttons of its bar; returns whether the key does that. */
function toBar({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent, box: HTMLElement): boolean {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
  const bar = box.parentElement?.querySelector('[role=toolbar]')
  if (!step || !bar || shiftKey || altKey || ctrlKey || metaKey) return false
  moveInBar(bar, step)
  return true
}

/** Encrypted messages are indigo. */
const colours = ({ mine, lock, mention }: Message): string => {
  if (mention !== undefined) return 'bg-clear-soft'
  if (!mine) return lock === 'closed' ? 'bg-theirs-sealed' : 'bg-theirs'
  return `bg-bubble text-on-bubble ${lock === 'closed' ? 'channel-sealed' : 'channel-clear'}`
}
const tailColour = ({ mine, lock, mention }: Message): string => {
  if (mention !== undefined) return 'text-clear-soft'
  if (mine) return 'text-bubble'
  return lock === 'closed' ? 'text-theirs-sealed' : 'text-theirs'
}

/** Corners are small between bubbles of one author, and at the tail. */
const corners = (mine: boolean, follows: boolean, followed: boolean): string =>
  mine
    ? classes(follows && 'rounded-tr-md', followed ? 'rounded-br-md' : 'rounded-br-none')
    : classes(follows && 'rounded-tl-md', followed ? 'rounded-bl-md' : 'rounded-bl-none')

/** The tail of a bubble is at its lower corner on the side of its author. */
const BubbleTail = ({ mine, className }: { mine: boolean; className: string }) => (
  <svg
    viewBox="0 0 8 14"
    className={classes(
      'absolute bottom-0 h-3.5 w-2 forced-colors:hidden',
      mine ? 'left-full' : 'right-full -scale-x-100',
      className,
    )}
    aria-hidden="true"
  >
    <path
      d="M-1 0h1c.3 5.500 2.500 9.300 7 11.500.9.5.6 1.900-.5 2C3.500 14 1 14 -1 14z"
      fill="currentcolor"
    />
  </svg>
)

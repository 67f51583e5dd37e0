import { CircleAlert, Ellipsis, Lock, LockOpen } from 'lucide-react'
import { type ComponentType, Fragment, memo } from 'react'
import { classes } from './classes.ts'
import { Menu } from './Menu.tsx'
import { SendState } from './SendState.tsx'
import { clock, exactTime } from './time.ts'

/** A message as a conversation shows it. */
export interface Message {
  /** The React key: the same before and after the message was sent, so that its row is kept. */
  key: string
  /** 0 while it is not stored yet. */
  id: number
  mine: boolean
  fromaddr: string
  sender_name: string
  text: string
  timestamp: string
  state: 'sent' | 'read' | 'sending' | 'waiting' | 'failed'
  /** Why it could not be sent. */
  problem?: string | undefined
  /** closed: encrypted, decrypted here, and its sender proven; broken: it cannot be read. */
  lock?: 'closed' | 'broken' | undefined
  /** Whether it is a copy of an earlier message. */
  repeated?: boolean | undefined
  /** The NFT it is about, as text. */
  context?: string | undefined
}

interface BubbleProps {
  message: Message
  /** The sender's name, shown where more than two people write. */
  sender: string | undefined
  /** The options of a message. */
  menu: ComponentType<{ message: Message }>
}

export const Bubble = memo(function Bubble({ message, sender, menu: Options }: BubbleProps) {
  const { mine, text, timestamp, state, lock, repeated, context } = message
  return (
    <div className={classes('group flex w-full items-center gap-1', mine && 'flex-row-reverse')}>
      <div
        // Focusable, so that a touch on the message shows its options.
        tabIndex={-1}
        className={classes(
          'outline-none min-w-0 max-w-[min(34rem,85%)] rounded-2xl px-3.5 py-2',
          mine ? 'bg-bubble text-on-bubble' : 'bg-theirs',
          mine && (lock === 'closed' ? 'channel-sealed' : 'channel-clear'),
          state === 'failed' && 'opacity-80',
        )}
      >
        {sender && <p className="mb-0.5 text-sm font-semibold text-accent">{sender}</p>}
        {context && (
          <p className={classes('mb-0.5 text-xs', mine ? 'text-bubble-muted' : 'text-muted')}>{context}</p>
        )}
        {repeated && (
          <p className={classes('mb-0.5 text-xs', mine ? 'text-bubble-muted' : 'text-muted')}>
            Sent before: a copy of an earlier message.
          </p>
        )}
        <p className="wrap-anywhere whitespace-pre-wrap">
          {lock === 'broken' ? (
            <em className="flex items-center gap-2">
              <CircleAlert className="size-4 shrink-0" aria-hidden="true" /> {text}
            </em>
          ) : (
            <span>
              <SafeText text={text} />
            </span>
          )}
          <span
            className={classes(
              'float-right mt-1.5 ml-3 inline-flex h-4 items-center gap-1 text-xs leading-none',
              mine ? 'text-bubble-muted' : 'text-muted',
            )}
          >
            {lock === 'closed' && <Lock className="size-3" role="img" aria-label="Encrypted" />}
            {lock === 'broken' && <LockOpen className="size-3" aria-hidden="true" />}
            <time dateTime={timestamp} title={exactTime(timestamp)}>
              {clock(timestamp)}
            </time>
            {mine && <SendState state={state} />}
          </span>
        </p>
      </div>
      <Menu
        align={mine ? 'end' : 'start'}
        trigger={
          <button
            type="button"
            aria-label="Message options"
            className="grid size-8 shrink-0 place-items-center rounded-full text-muted opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 hover:bg-hover aria-expanded:opacity-100"
          >
            <Ellipsis className="size-4" aria-hidden="true" />
          </button>
        }
      >
        <Options message={message} />
      </Menu>
    </div>
  )
})

// Only http and https addresses. Punctuation at the end belongs to the sentence, not to the
// address.
const link = /https?:\/\/[^\s<>"'`{}|\\^]+[^\s<>"'`{}|\\^.,:;!?)\]]/gi

/**
 * Text written by others. No part of it is treated as markup; links open in a new tab, without a
 * referrer.
 */
export const SafeText = memo(function SafeText({ text }: { text: string }) {
  const parts: { at: number; text: string; href?: string }[] = []
  let end = 0
  for (const match of text.matchAll(link)) {
    if (!URL.canParse(match[0])) continue
    parts.push({ at: end, text: text.slice(end, match.index) })
    parts.push({ at: match.index, text: match[0], href: match[0] })
    end = match.index + match[0].length
  }
  parts.push({ at: end, text: text.slice(end) })
  return parts.map((part) =>
    part.href ? (
      <a
        key={`a${part.at}`}
        href={part.href}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="underline underline-offset-2"
      >
        {part.text}
      </a>
    ) : (
      <Fragment key={part.at}>{part.text}</Fragment>
    ),
  )
})

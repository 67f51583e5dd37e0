import { CircleAlert, Ellipsis, Lock, LockOpen } from 'lucide-react'
import { type ReactNode, memo } from 'react'
import { classes } from './classes.ts'
import { Menu } from './Menu.tsx'
import type { Message } from './message.ts'
import { SafeText } from './SafeText.tsx'
import { SendState } from './SendState.tsx'
import { clock, exactTime } from './time.ts'

interface Props {
  message: Message
  /** The sender's name, shown where more than two people write. */
  sender?: string | undefined
  /** The items of its menu. */
  menu?: ReactNode
}

export const Bubble = memo(function Bubble({ message, sender, menu }: Props) {
  const { mine, text, timestamp, state, lock, context } = message
  return (
    <div className={classes('group flex w-full items-center gap-1', mine && 'flex-row-reverse')}>
      <div
        // Focusable, so that a touch on the message shows its options.
        tabIndex={-1}
        className={classes(
          'outline-none min-w-0 max-w-[min(34rem,85%)] rounded-2xl px-3.5 py-2',
          mine ? 'bg-mine text-on-mine' : 'bg-theirs shadow-card',
          state === 'failed' && 'opacity-80',
        )}
      >
        {sender && <p className="mb-0.5 text-sm font-semibold text-accent">{sender}</p>}
        {context && (
          <p className={classes('mb-0.5 text-xs', mine ? 'text-mine-muted' : 'text-muted')}>{context}</p>
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
              'float-right mt-1.5 ml-3 inline-flex h-4 items-center gap-1 text-xs leading-none tabular-nums',
              mine ? 'text-mine-muted' : 'text-muted',
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
      {menu && (
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
          {menu}
        </Menu>
      )}
    </div>
  )
})

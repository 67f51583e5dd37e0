import { Lock, LockOpen } from 'lucide-react'
import { classes } from './classes.ts'
import type { Message } from './message.ts'
import { SendState } from './SendState.tsx'
import { clock, exactTime } from './time.ts'

/** The time of a message, whether it is encrypted, and of an own one what became of it. */
export function MessageMeta({ message, className }: { message: Message; className?: string }) {
  const { mine, timestamp, state, lock } = message
  return (
    <span className={classes('inline-flex h-4 items-center gap-1 text-xs leading-none', className)}>
      {lock === 'closed' && <Lock className="size-3" role="img" aria-label="Encrypted" />}
      {lock === 'broken' && <LockOpen className="size-3" aria-hidden="true" />}
      <time dateTime={timestamp} title={exactTime(timestamp)}>
        {clock(timestamp)}
      </time>
      {mine && <SendState state={state} />}
    </span>
  )
}

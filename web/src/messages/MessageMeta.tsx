import { Check, CheckCheck, CircleAlert, Clock, Lock, LockOpen, Megaphone } from 'lucide-react'
import { classes } from '../ui/classes.ts'
import { clock, exactTime } from '../state/time.ts'
import type { Message, MessageActs } from './message.ts'

interface MetaProps {
  message: Message
  acts?: MessageActs | undefined
  className?: string
}

/** Shows the time of a message, whether it is encrypted, and for an own one its state. */
export function MessageMeta({ message, acts, className }: MetaProps) {
  const { mine, timestamp, state, lock, isVouched, revision, imported, announced } = message
  return (
    <span className={classes('inline-flex h-4 items-center gap-1 text-xs leading-none', className)}>
      {lock === 'closed' && <Lock className="size-3" role="img" aria-label="Encrypted" />}
      {isVouched && (
        <span title="Nothing here could check the sender’s key. The service says that it is theirs.">
          vouched for
        </span>
      )}
      {announced && (
        <span
          className="inline-flex items-center gap-1 font-semibold"
          title="Members who agreed to announcements were notified of this."
        >
          <Megaphone className="size-3" aria-hidden="true" /> Announcement
        </span>
      )}
      {imported && (
        <span title="The administrator imported it from elsewhere: its author has not sent it here.">
          imported
        </span>
      )}
      {lock === 'broken' && <LockOpen className="size-3" aria-hidden="true" />}
      {revision && acts && (
        <button
          type="button"
          className="underline-offset-2 hover:underline"
          onClick={() => acts.showEdits(message)}
        >
          edited
        </button>
      )}
      <time dateTime={timestamp} title={exactTime(timestamp)}>
        {clock(timestamp)}
      </time>
      {mine && <SendState state={state} />}
    </span>
  )
}

const states = {
  sending: [Clock, 'Sending'],
  waiting: [Clock, 'Waiting for a connection'],
  failed: [CircleAlert, 'Not sent'],
  sent: [Check, 'Sent'],
  read: [CheckCheck, 'Read'],
} as const

function SendState({ state }: { state: keyof typeof states }) {
  const [Icon, label] = states[state]
  return <Icon className="size-3.5" role="img" aria-label={label} />
}

import { Check, Lock, LockOpen, SendHorizontal } from 'lucide-react'
import { classes } from '../ui/classes.ts'
import type { ComposerChannel } from './message.ts'
import { Spinner } from '../ui/Spinner.tsx'

interface Props {
  channel: ComposerChannel
  /** This says why it sends nothing now, if there is a reason. */
  why: { id: string; text: string } | undefined
  /** The message waits for this, such as for its channel. */
  waits: string | undefined
  /** This is true when the text takes the place of an earlier one. */
  isEdit?: boolean | undefined
}

/** Sends the text, in the colour of its channel. A held message has its own buttons. */
export function SendButton({ channel, why, waits, isEdit = false }: Props) {
  const label = isEdit ? 'Save edit' : channel === 'sealed' ? 'Send encrypted' : 'Send'
  return (
    <button
      type="submit"
      aria-label={label}
      title={why?.text ?? label}
      aria-busy={waits !== undefined}
      aria-disabled={why !== undefined}
      aria-describedby={why?.id}
      className={classes(
        'relative grid size-11 shrink-0 place-items-center rounded-full transition-colors',
        why
          ? 'cursor-not-allowed bg-sunken text-muted'
          : 'bg-channel text-on-channel hover:bg-channel-strong',
      )}
    >
      {channel === 'held' ? (
        <LockOpen className="size-5" aria-hidden="true" />
      ) : waits ? (
        <Spinner label={waits} />
      ) : isEdit ? (
        <Check className="size-5" aria-hidden="true" />
      ) : (
        <SendHorizontal className="size-5" aria-hidden="true" />
      )}
      {channel === 'sealed' && <Lock className="absolute right-1.5 bottom-1.5 size-3" aria-hidden="true" />}
    </button>
  )
}

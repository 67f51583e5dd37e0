import { Lock, LockOpen, SendHorizontal } from 'lucide-react'
import type { ComposerChannel } from './composer-channel.ts'
import { Spinner } from './Spinner.tsx'

interface Props {
  channel: ComposerChannel
  disabled: boolean
  /** Whether a message waits until its channel is known. */
  waits: boolean
}

/** Sends what is written, in the colour of its channel. What is held has its own buttons. */
export function SendButton({ channel, disabled, waits }: Props) {
  return (
    <button
      type="submit"
      aria-label={channel === 'sealed' ? 'Send encrypted' : 'Send'}
      title={channel === 'sealed' ? 'Send encrypted' : 'Send'}
      aria-busy={waits}
      disabled={disabled || channel === 'held'}
      className="relative grid size-11 shrink-0 place-items-center rounded-full bg-channel text-on-channel transition-colors hover:bg-channel-strong disabled:bg-sunken disabled:text-muted"
    >
      {channel === 'held' ? (
        <LockOpen className="size-5" aria-hidden="true" />
      ) : waits ? (
        <Spinner label="Looking for keys" />
      ) : (
        <SendHorizontal className="size-5" aria-hidden="true" />
      )}
      {channel === 'sealed' && <Lock className="absolute right-1.5 bottom-1.5 size-3" aria-hidden="true" />}
    </button>
  )
}

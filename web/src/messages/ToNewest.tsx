import { ArrowDown } from 'lucide-react'
import { clockOrTime } from '../state/time.ts'
import { IconButton } from '../ui/IconButton.tsx'

interface Props {
  /** This number of new messages is below the screen. */
  count: number
  onClick: () => void
  /** The reader came from a message that was sent at this time. */
  back?: { at: string; go: () => void } | undefined
}

/**
 * Returns the reader to the newest message. On narrow screens it is small and at the edge, so that it covers no end of
 * an own line; it reacts to touch around it.
 */
export function ToNewest({ count, onClick, back }: Props) {
  const label = 'To the newest message'
  return (
    <div className="absolute right-0.5 bottom-1 flex items-center gap-2 sm:right-4 sm:bottom-4">
      {back && (
        <button
          type="button"
          onClick={back.go}
          className="min-h-8 rounded-full border border-line bg-raised px-3 text-sm font-semibold shadow-float hover:bg-hover pointer-coarse:min-h-11"
        >
          Back to {clockOrTime(Date.parse(back.at))}
        </button>
      )}
      <IconButton label={count > 0 ? `${label}, ${count} new` : label} onClick={onClick}>
        <span className="relative grid size-7 place-items-center justify-self-end rounded-full border border-line bg-raised shadow-float sm:size-10">
          <ArrowDown className="size-4 sm:size-5" />
          {count > 0 && (
            <span
              aria-hidden="true"
              className="absolute -top-3 left-1/2 inline-grid h-5 min-w-5 -translate-x-1/2 place-items-center rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent tabular-nums sm:-top-2"
            >
              {count > 99 ? '99+' : count}
            </span>
          )}
        </span>
      </IconButton>
    </div>
  )
}

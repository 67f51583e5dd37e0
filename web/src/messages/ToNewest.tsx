import { ArrowDown } from 'lucide-react'
import { IconButton } from '../ui/IconButton.tsx'

interface Props {
  /** This number of new messages is below the screen. */
  count: number
  onClick: () => void
}

/** Returns the reader to the newest message. */
export function ToNewest({ count, onClick }: Props) {
  const label = 'To the newest message'
  return (
    <div className="absolute right-1.5 bottom-3 sm:right-4 sm:bottom-4">
      <IconButton
        label={count > 0 ? `${label}, ${count} new` : label}
        onClick={onClick}
        className="border border-line bg-raised shadow-float"
      >
        <ArrowDown className="size-5" />
      </IconButton>
      {count > 0 && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute -top-2 left-1/2 inline-grid h-5 min-w-5 -translate-x-1/2 place-items-center rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent tabular-nums"
        >
          {count > 99 ? '99+' : count}
        </span>
      )}
    </div>
  )
}

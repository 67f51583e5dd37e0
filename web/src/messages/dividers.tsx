import { Fragment } from 'react'
import { dayHeading, sameDay } from '../state/time.ts'
import { classes } from '../ui/classes.ts'
import type { Line } from './message.ts'

const DayHeading = ({ timestamp }: { timestamp: string }) => (
  <p className="py-4 text-center text-xs font-medium text-muted">{dayHeading(timestamp)}</p>
)

export function UnreadDivider({ count }: { count: number }) {
  const text = `${count.toLocaleString()} new ${count === 1 ? 'message' : 'messages'}`
  return (
    <div
      role="separator"
      aria-label={text}
      className="flex items-center gap-3 pt-4 pb-1 text-xs font-semibold text-accent"
    >
      <span className="h-px flex-1 bg-accent/40" />
      <span aria-hidden="true">{text}</span>
      <span className="h-px flex-1 bg-accent/40" />
    </div>
  )
}

interface LinesProps {
  lines: Line[] | undefined
  /** The time of the message before; omitted above the first one. */
  since: string | undefined
  /** The time of the message after; omitted below the last one. */
  until?: string
}

/** Shows the lines above a message or after the last one, below the heading of each day that begins there. */
export function Lines({ lines = none, since, until }: LinesProps) {
  const all = [...lines, ...(until === undefined ? [] : [{ at: until, key: 'until', content: undefined }])]
  return all.map(({ at, key = at, content }: Line, n) => {
    const before = all[n - 1]?.at ?? since
    return (
      <Fragment key={key}>
        {(before === undefined || !sameDay(before, at)) && <DayHeading timestamp={at} />}
        {content !== undefined && (
          <p
            className={classes(
              'mx-auto max-w-md pb-1 text-center text-xs text-pretty text-muted [&>svg]:me-0.5 [&>svg]:inline [&>svg]:size-3.5 [&>svg]:align-[-0.2em]',
              n === 0 && 'pt-4',
            )}
          >
            {content}
          </p>
        )}
      </Fragment>
    )
  })
}

const none: Line[] = []

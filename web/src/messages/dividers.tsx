import { dayHeading } from '../state/time.ts'
import type { Line } from './message.ts'

export const DayHeading = ({ timestamp }: { timestamp: string }) => (
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

export const Lines = ({ lines }: { lines: Line[] | undefined }) =>
  lines?.map(({ at, content }) => (
    <p
      key={at}
      className="mx-auto max-w-md pt-4 pb-1 text-center text-xs text-pretty text-muted [&>svg]:me-0.5 [&>svg]:inline [&>svg]:size-3.5 [&>svg]:align-[-0.2em]"
    >
      {content}
    </p>
  ))

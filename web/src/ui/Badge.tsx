/** Shows a number of unread messages; nothing at zero. */
export function Badge({ count, quiet = false }: { count: number; quiet?: boolean }) {
  if (count === 0) return null
  return (
    <span
      className={
        quiet
          ? 'text-xs font-medium text-muted tabular-nums'
          : 'inline-grid h-5 min-w-5 border-transparent forced-colors:border place-items-center rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent tabular-nums'
      }
    >
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="sr-only">{count} unread</span>
    </span>
  )
}

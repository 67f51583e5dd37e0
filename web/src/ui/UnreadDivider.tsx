/** Stands before the first message that is new to the reader. */
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

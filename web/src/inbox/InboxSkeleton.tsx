/** Placeholder rows are shown while the inbox or what somebody searches is read, so that nothing moves when it arrives. */
export function InboxSkeleton({ label = 'Loading conversations' }: { label?: string }) {
  return (
    <div role="status" aria-label={label} className="animate-pulse">
      {[70, 50, 62, 44, 58].map((width) => (
        <div key={width} className="flex h-18 items-center gap-3 px-2">
          <span className="size-12 rounded-full bg-sunken" />
          <span className="grid flex-1 gap-2">
            <span className="h-3.5 rounded bg-sunken" style={{ width: `${width - 20}%` }} />
            <span className="h-3 rounded bg-sunken" style={{ width: `${width + 15}%` }} />
          </span>
        </div>
      ))}
    </div>
  )
}

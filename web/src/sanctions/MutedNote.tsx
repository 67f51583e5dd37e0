import { Gavel } from 'lucide-react'
import { useEffect } from 'react'
import { Appeal } from './Appeal.tsx'
import { endOf, type Forbidden, saidBelow } from './notices.ts'

/** Replaces the field for messages while an operator forbids to write. */
export function MutedNote({ forbidden }: { forbidden: Forbidden }) {
  useEffect(() => {
    saidBelow.set(saidBelow.get() + 1)
    return () => saidBelow.set(saidBelow.get() - 1)
  }, [])
  return (
    <section
      aria-label="You can’t write here"
      className="border-t border-line bg-surface px-3 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-4"
    >
      <div className="mx-auto flex max-w-3xl flex-wrap items-center gap-x-4 gap-y-2">
        <p className="flex min-w-0 flex-1 basis-56 gap-2.5 text-sm text-pretty wrap-anywhere">
          <Gavel className="mt-0.5 size-4 shrink-0 text-danger" aria-hidden="true" />
          <span>
            <strong className="font-semibold">You can’t write here, {endOf(forbidden)}.</strong>
            {forbidden.reason && <span className="text-muted"> Reason: {forbidden.reason}</span>}
          </span>
        </p>
        <Appeal />
      </div>
    </section>
  )
}

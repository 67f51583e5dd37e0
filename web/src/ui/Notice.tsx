import { useNotice } from './notice.ts'

/** The notice at the bottom of the page. Screen readers announce it. */
export function Notice() {
  const notice = useNotice()
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-24 z-40 grid place-items-center">
      {notice && (
        <p className="max-w-[90vw] rounded-full bg-ink px-4 py-2 text-sm font-medium text-surface shadow-float">
          {notice}
        </p>
      )}
    </div>
  )
}

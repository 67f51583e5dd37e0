import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useNotice } from '../state/notice.ts'
import { useStore } from '../state/store.ts'
import { focusAfterMenu } from './focus.ts'
import { openDialogs } from './show-modal.ts'

/** Shows the notice at the top of the page or of the dialog over it, clear of the newest message. Screen readers announce it. */
export function Notice() {
  const notice = useNotice()
  const dialog = useStore(openDialogs).at(-1)
  const undo = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!notice?.focus) return undefined
    const timer = focusAfterMenu(() => undo.current, 100)
    return () => clearTimeout(timer)
  }, [notice])
  const shown = (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-[calc(4.5rem+env(safe-area-inset-top))] z-40 grid place-items-center px-4"
    >
      {notice && (
        <p className="flex max-w-full items-center gap-1 rounded-full bg-ink px-4 text-sm font-medium text-surface shadow-float">
          <span className="py-2">{notice.text}</span>
          {notice.undo && (
            <button
              ref={undo}
              type="button"
              className="pointer-events-auto -me-3 min-h-11 rounded-full px-3 font-semibold underline underline-offset-2"
              onClick={notice.undo}
            >
              {notice.offer ?? 'Undo'}
            </button>
          )}
        </p>
      )}
    </div>
  )
  return dialog ? createPortal(shown, dialog) : shown
}

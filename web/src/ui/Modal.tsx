import { X } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useBackCloses } from './back.ts'
import { IconButton } from './IconButton.tsx'

interface Props {
  title: string
  onClose: () => void
  children: ReactNode
}

/**
 * A dialog over the page. The browser's `<dialog>` keeps the focus inside and returns it
 * afterwards. Back closes it.
 */
export function Modal({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useBackCloses(onClose)
  // Closed before it is removed: only then the browser returns the focus.
  useLayoutEffect(() => {
    const element = dialog.current!
    // Closed by a click outside, in browsers that support it.
    element.setAttribute('closedby', 'any')
    element.showModal()
    const chosen = element.querySelector<HTMLElement>('input[type=radio]:checked')
    const first = element.querySelector<HTMLElement>('input, textarea')
    ;(first?.matches('[type=radio]') ? (chosen ?? first) : first)?.focus()
    return () => element.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className="m-auto max-h-[calc(100dvh-1.5rem-env(safe-area-inset-top)-env(safe-area-inset-bottom))] w-[min(28rem,calc(100vw-1.5rem))] rounded-2xl bg-raised text-ink shadow-float"
    >
      <div className="grid grid-cols-1 gap-4 p-5">
        <header className="flex items-center justify-between gap-2">
          <h2 id={id} className="text-lg font-semibold">
            {title}
          </h2>
          <IconButton label="Close" onClick={onClose} className="-me-2">
            <X className="size-5" />
          </IconButton>
        </header>
        {children}
      </div>
    </dialog>
  )
}

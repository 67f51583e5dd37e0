import { X } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useBackCloses } from '../state/back.ts'
import { Button } from './Button.tsx'
import { useClosing } from './closing.ts'
import { IconButton } from './IconButton.tsx'
import { showModal } from './show-modal.ts'

interface Props {
  title: string
  onClose: () => void
  /** This question appears before it is closed without a choice in it, if it shows something only once. */
  keep?: string | undefined
  children: ReactNode
}

/**
 * Shows a dialog over the page. The browser's `<dialog>` keeps the focus inside and returns it afterwards. Back, Escape
 * and a click outside close it; after typing, only when they are repeated. `data-first` marks the button that has the
 * focus first; else it is the first field, else the first of several buttons below the title, which changes nothing:
 * nobody opens a dialog for “Close”.
 */
export function Modal({ title, onClose, keep, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const { said, tryToClose } = useClosing(dialog, { onClose, keep })
  useBackCloses(tryToClose)
  useLayoutEffect(() => {
    const element = dialog.current!
    // This component decides what closes it.
    element.setAttribute('closedby', 'none')
    const close = showModal(element)
    const marked = element.querySelector<HTMLElement>('[data-first]')
    const chosen = element.querySelector<HTMLElement>('input[type=radio]:checked')
    const first = element.querySelector<HTMLElement>('input, textarea')
    const field = first?.matches('[type=radio]') ? (chosen ?? first) : first
    const buttons = element.querySelectorAll<HTMLElement>('header ~ * button')
    // A dialog that is higher than the screen is read from its top.
    ;(marked ?? field ?? (buttons.length > 1 ? buttons[0] : undefined))?.focus({ preventScroll: true })
    return close
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        tryToClose()
      }}
      className="m-auto max-h-[calc(100dvh-1.5rem-env(safe-area-inset-top)-env(safe-area-inset-bottom))] w-[min(28rem,calc(100vw-1.5rem))] rounded-2xl bg-raised text-ink shadow-float"
    >
      <div className="grid grid-cols-1 gap-4 p-5">
        <header className="flex items-center justify-between gap-2">
          <h2 id={id} className="text-lg font-semibold">
            {title}
          </h2>
          <IconButton label="Close" onClick={keep === undefined ? onClose : tryToClose} className="-me-2">
            <X className="size-5" />
          </IconButton>
        </header>
        {children}
        <div
          role="status"
          className="sticky bottom-3 flex flex-wrap items-center justify-between gap-x-3 rounded-xl bg-warn-soft px-3 py-2 text-sm font-medium text-warn empty:hidden"
        >
          {said}
          {said && keep !== undefined && <Button onClick={onClose}>Close anyway</Button>}
        </div>
      </div>
    </dialog>
  )
}

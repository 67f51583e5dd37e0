import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { focusUnlessTaken } from '../ui/focus.ts'

interface Props {
  label: string
  readers: string
  /** Whether the visitor may not write here at all. */
  isClosed: boolean
  /** Is asked before each message. */
  mayWrite: (() => Promise<boolean>) | undefined
  send: (text: string) => boolean
}

/** The field in which one writes. Only the person fills it: no address and no message of the site does. */
export function Field({ label, readers, isClosed, mayWrite, send }: Props) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    const text = field.current!.value
    if (isBusy || !text.trim()) return
    setBusy(true)
    try {
      if (mayWrite && !(await mayWrite())) return
      if (send(text) && field.current?.value === text) field.current.value = ''
    } finally {
      setBusy(false)
      focusUnlessTaken(field.current)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent?.isComposing) return
    event.preventDefault()
    void submit()
  }
  return (
    <form className="border-t border-line bg-surface p-3" onSubmit={(event) => void submit(event)}>
      <p id={id} className="pb-2 text-sm text-muted">
        {readers}
      </p>
      {!isClosed && (
        <div className="flex items-end gap-2">
          <textarea
            ref={field}
            rows={2}
            dir="auto"
            aria-label={label}
            aria-describedby={id}
            className="min-h-11 min-w-0 flex-1 resize-none rounded-xl border border-line-strong bg-page px-3 py-2"
            onKeyDown={onKeyDown}
          />
          <button
            type="submit"
            aria-busy={isBusy}
            className="min-h-11 rounded-xl bg-accent px-4 font-medium text-on-accent"
          >
            Send
          </button>
        </div>
      )}
    </form>
  )
}

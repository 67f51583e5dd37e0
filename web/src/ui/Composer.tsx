import { SendHorizontal } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useDraft } from './draft.ts'

interface Props {
  placeholder: string
  /** Names the draft, see `useDraft`. */
  draftKey: string
  /** Bytes of UTF-8 that a message may have. */
  maxBytes: number
  onSend: (text: string) => void
  onTyping?: (() => void) | undefined
  /** Shown below the field, such as the state of encryption. */
  note?: ReactNode
}

const bytes = new TextEncoder()

/**
 * The field for a new message. Enter sends; Shift and Enter, or Enter on a touch screen, adds a
 * line.
 */
export function Composer({ placeholder, draftKey, maxBytes, onSend, onTyping, note }: Props) {
  const [text, write] = useDraft(draftKey)
  const field = useRef<HTMLTextAreaElement>(null)
  const tooLong = text.length > maxBytes / 4 && bytes.encode(text).length > maxBytes

  useLayoutEffect(() => {
    const element = field.current!
    element.style.height = 'auto'
    element.style.height = `${Math.min(element.scrollHeight, 168)}px`
  }, [text])

  const send = () => {
    const message = text.trim()
    if (!message || tooLong) return
    onSend(message)
    write('')
    field.current!.focus()
  }

  return (
    <form
      className="border-t border-line bg-surface px-3 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:px-4"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className="mx-auto max-w-3xl">
        <div className="flex items-end gap-2">
          <textarea
            ref={field}
            rows={1}
            value={text}
            aria-label={placeholder}
            placeholder={placeholder}
            aria-invalid={tooLong}
            onChange={(event) => {
              write(event.target.value)
              onTyping?.()
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              if (matchMedia('(pointer: coarse)').matches) return
              event.preventDefault()
              send()
            }}
            className="scroll-calm min-h-11 min-w-0 flex-1 resize-none rounded-3xl border border-line-strong bg-surface px-4 py-2.5 text-base leading-5.5 focus:border-accent focus:outline-1 focus:-outline-offset-2 focus:outline-accent"
          />
          <button
            type="submit"
            aria-label="Send"
            title="Send"
            disabled={!text.trim() || tooLong}
            className="grid size-11 shrink-0 place-items-center rounded-full bg-accent text-on-accent transition-colors hover:bg-accent-strong disabled:bg-sunken disabled:text-muted"
          >
            <SendHorizontal className="size-5" aria-hidden="true" />
          </button>
        </div>
        {tooLong ? (
          <p role="alert" className="px-4 pt-1 text-sm text-danger">
            This is longer than a message may be ({maxBytes / 1024} KiB).
          </p>
        ) : (
          note
        )}
      </div>
    </form>
  )
}

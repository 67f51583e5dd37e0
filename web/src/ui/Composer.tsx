import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { classes } from './classes.ts'
import type { ComposerChannel, SendAs } from './composer-channel.ts'
import { type Completing, Completions, useCompletions } from './Completions.tsx'
import { useDraft } from './draft.ts'
import { SendButton } from './SendButton.tsx'

interface Props {
  placeholder: string
  /** Names the draft, see `useDraft`. */
  draftKey: string
  /** Bytes that a message may have. */
  maxBytes: number
  /** The bytes of a text as a message: of UTF-8 where nothing is said. */
  size?: ((text: string) => number) | undefined
  channel?: ComposerChannel
  /** Says why a message is held. Its choices are submit buttons whose value is a {@link SendAs}. */
  held?: ReactNode
  onSend: (text: string, as?: SendAs) => void
  onTyping?: (() => void) | undefined
  /** What is offered after a slash. */
  completing?: Completing | undefined
  /** Shown below the field, such as the state of encryption. */
  note?: ReactNode
}

const looks = {
  clear: 'channel-clear',
  sealed: 'channel-sealed',
  held: 'channel-warn',
  checking: 'channel-clear',
}

const bytes = new TextEncoder()
const utf8Size = (text: string) => bytes.encode(text).length

/**
 * The field for a new message. Enter sends; Shift and Enter, or Enter on a touch screen, adds a
 * line.
 */
export function Composer({
  placeholder,
  draftKey,
  maxBytes,
  size = utf8Size,
  channel = 'clear',
  held,
  onSend,
  onTyping,
  completing,
  note,
}: Props) {
  const [text, keep] = useDraft(draftKey)
  /** The channel at which it was entered while nothing could be sent. */
  const [tried, setTried] = useState<ComposerChannel>()
  const field = useRef<HTMLTextAreaElement>(null)
  const tooLong = text.length > maxBytes / 8 && size(text) > maxBytes
  const canSend = text.trim() !== '' && !tooLong

  useLayoutEffect(() => fitHeight(field.current!), [text])
  // A touch screen would cover half of the page with its keyboard. Where a menu is open already, the
  // focus stays there.
  useEffect(() => {
    if (!hasTouch() && !document.activeElement?.closest('[role=menu], dialog, [aria-expanded=true]'))
      field.current!.focus({ preventScroll: true })
  }, [])
  const write = (next: string) => {
    keep(next)
    setTried(undefined)
  }
  const completions = useCompletions(text, completing, write)
  const send = (as?: SendAs) => {
    field.current!.focus()
    if (!canSend) return
    if (!as && (channel === 'held' || channel === 'checking')) return setTried(channel)
    onSend(text.trim(), as)
    write('')
  }
  useEffect(() => {
    if (tried === 'checking' && (channel === 'clear' || channel === 'sealed')) send()
  })

  return (
    <form
      className={classes(
        'border-t border-line px-3 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:px-4',
        channel === 'held' ? 'bg-channel-soft' : 'bg-surface',
        looks[channel],
      )}
      onSubmit={(event) => {
        event.preventDefault()
        const { value } = event.nativeEvent.submitter as HTMLButtonElement
        send((value as SendAs) || undefined)
      }}
    >
      <div className="mx-auto max-w-3xl">
        {channel === 'held' && held}
        <p role="alert" className="pb-2 text-sm font-semibold text-channel empty:hidden">
          {tried && channel === 'held' && 'Not sent. Choose how to send it.'}
        </p>
        <Completions {...completions} />
        <div className="flex items-end gap-2">
          <textarea
            ref={field}
            rows={1}
            dir="auto"
            value={text}
            aria-label={placeholder}
            placeholder={placeholder}
            aria-invalid={tooLong}
            aria-autocomplete={completing && 'list'}
            aria-controls={completions.current && completions.listId}
            aria-activedescendant={completions.current && completions.idOf(completions.current)}
            onChange={(event) => {
              write(event.target.value)
              onTyping?.()
            }}
            onKeyDown={(event) => completions.onKeyDown(event) || onEnter(event, send)}
            className={classes(
              'scroll-calm min-h-11 min-w-0 flex-1 resize-none rounded-3xl border bg-surface px-4 py-2.5 text-base leading-5.5 focus:border-channel focus:outline-1 focus:-outline-offset-2 focus:outline-channel',
              channel === 'sealed' || channel === 'held' ? 'border-channel' : 'border-line-strong',
            )}
          />
          <SendButton channel={channel} disabled={!canSend} waits={tried === channel} />
        </div>
        {tooLong ? (
          <p role="alert" className="px-4 pt-1 text-sm text-danger">
            This is longer than {channel === 'sealed' ? 'an encrypted' : 'a'} message may be.
          </p>
        ) : (
          note
        )}
      </div>
    </form>
  )
}

const hasTouch = () => matchMedia('(pointer: coarse)').matches

/** Makes the field as high as its text, up to a limit. */
function fitHeight(field: HTMLTextAreaElement): void {
  field.style.height = 'auto'
  field.style.height = `${Math.min(field.scrollHeight, 168)}px`
}

function onEnter(event: KeyboardEvent, send: () => void): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
  if (hasTouch()) return
  event.preventDefault()
  send()
}

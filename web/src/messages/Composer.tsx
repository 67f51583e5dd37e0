import {
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { classes } from '../ui/classes.ts'
import { type Completions, useCompletion } from './completion.tsx'
import type { ComposerChannel, SendAs } from './message.ts'
import { useDraft } from './draft.ts'
import { EmojiButton } from './emoji/EmojiButton.tsx'
import { onFormat } from './format-keys.ts'
import { fitHeight, onEnter, onLeaving, useFocusAtFirst } from './field.ts'
import { SendButton } from './SendButton.tsx'

export interface ComposerHandle {
  focus: () => void
}

interface Props {
  placeholder: string
  /** This names the draft, see `useDraft`. */
  draftKey: string
  /** A message may have at most this many bytes. */
  maxBytes: number
  /** Returns the bytes of a text as a message; the default counts UTF-8. */
  size?: ((text: string) => number) | undefined
  channel?: ComposerChannel
  /** When true, nothing can be written now, and the note says why. The focus and the text stay. */
  isOff?: boolean
  /** This says why a message is held. Its choices are submit buttons whose value is a {@link SendAs}. */
  held?: ReactNode
  onSend: (text: string, as?: SendAs) => void
  /** This is above the field: what the text replies to, or takes the place of. Escape or its button ends it. */
  chip?: { content: (cancel: () => void) => ReactNode; onCancel: () => void; isEdit: boolean } | undefined
  onTyping?: (() => void) | undefined
  /** The keyboard leaves an empty field by these: up to the messages, and away by Escape. */
  onUp?: ((withControl: boolean) => void) | undefined
  onEscape?: (() => void) | undefined
  /** The handle sets the focus. */
  ref?: Ref<ComposerHandle>
  /** These complete a text while it is written. */
  completions?: Completions[] | undefined
  /** This is above the field, about the present text. */
  about?: ((text: string, change: (text: string) => void) => ReactNode) | undefined
  /** This is below the field, such as the state of encryption. */
  note?: ReactNode
}

const looks = {
  clear: 'channel-clear',
  sealed: 'channel-sealed',
  held: 'channel-warn',
  checking: 'channel-clear',
}

const fieldLook =
  'scroll-calm min-h-11 aria-disabled:cursor-not-allowed aria-disabled:bg-sunken min-w-0 flex-1 resize-none rounded-3xl border bg-surface px-4 py-2.5 text-base leading-5.5 focus:border-channel focus:outline-1 focus:-outline-offset-2 focus:outline-channel'

const bytes = new TextEncoder()
const utf8Size = (text: string) => bytes.encode(text).length

/** The field for a new message sends with Enter; Shift and Enter, or Enter on a touch screen, adds a line. */
export function Composer({
  placeholder,
  draftKey,
  maxBytes,
  size = utf8Size,
  channel = 'clear',
  isOff = false,
  held,
  onSend,
  chip,
  onTyping,
  onUp,
  onEscape,
  ref,
  completions = none,
  about,
  note,
}: Props) {
  const { text, write, tried, setTried } = useText(draftKey)
  const field = useRef<HTMLTextAreaElement>(null)
  const noteId = useId()
  const tooLong = text.length > maxBytes / 8 && size(text) > maxBytes
  const canSend = text.trim() !== '' && !tooLong && !isOff
  const { why, refuse, line } = useWhyNot(text, tooLong, channel, isOff ? noteId : undefined)

  useLayoutEffect(() => fitHeight(field.current!), [text])
  useFocusAtFirst(field)
  useImperativeHandle(ref, () => ({ focus: () => field.current!.focus() }))
  const cancel = () => {
    // The draft of an edit ends with it.
    if (chip?.isEdit) write('')
    chip?.onCancel()
  }
  const completion = useCompletion({ field, text, write, sources: completions })
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
        if (!canSend) refuse()
        send(((event.nativeEvent.submitter as HTMLButtonElement).value as SendAs) || undefined)
      }}
    >
      <div className="mx-auto max-w-3xl">
        {channel === 'held' && <Held isTried={tried !== undefined}>{held}</Held>}
        {chip?.content(cancel)}
        {about?.(text, write)}
        {completion.list}
        <div className="flex items-end gap-2">
          <textarea
            {...completion.attributes}
            ref={field}
            rows={1}
            dir="auto"
            value={text}
            {...{ 'aria-label': placeholder, placeholder }}
            aria-invalid={tooLong}
            {...(isOff && { readOnly: true, 'aria-disabled': true, 'aria-describedby': noteId })}
            onChange={(event) => {
              write(event.target.value)
              completion.onCaret(event.target.selectionStart)
              onTyping?.()
            }}
            onSelect={(event) => completion.onCaret(event.currentTarget.selectionStart)}
            onKeyDown={(event) =>
              completion.onKey(event) ||
              onFormat(event, write) ||
              (chip && onLeaving(event, undefined, cancel)) ||
              (text === '' && onLeaving(event, onUp, onEscape)) ||
              onEnter(event, send)
            }
            className={classes(
              fieldLook,
              channel === 'sealed' || channel === 'held' ? 'border-channel' : 'border-line-strong',
            )}
          />
          {!isOff && <EmojiButton {...{ field, text, write }} />}
          <SendButton channel={channel} why={why} waits={tried === channel} isEdit={chip?.isEdit} />
        </div>
        {line}
        {!tooLong && <div id={noteId}>{note}</div>}
      </div>
    </form>
  )
}

const Held = ({ isTried, children }: { isTried: boolean; children: ReactNode }) => (
  <>
    {children}
    <p role="alert" className="pb-2 text-sm font-semibold text-channel empty:hidden">
      {isTried && 'Not sent yet. Choose how to send it below.'}
    </p>
  </>
)

/** Returns the text, and the channel at which the user tried to send while nothing could be sent. */
function useText(draftKey: string) {
  const [text, keep] = useDraft(draftKey)
  const [tried, setTried] = useState<ComposerChannel>()
  const write = (next: string) => {
    keep(next)
    setTried(undefined)
  }
  return { text, write, tried, setTried }
}

const none: Completions[] = []

/**
 * Returns why nothing is sent now, and the line with it. The line is visible once it matters; before that only the
 * button has the reason.
 */
function useWhyNot(text: string, tooLong: boolean, channel: ComposerChannel, offBy: string | undefined) {
  const id = useId()
  /** This counts how often Send was pressed without effect, and has the text at that time. */
  const [refused, setRefused] = useState({ times: 0, text })
  const why = whyNot(text, tooLong, channel)
  const isSaid = tooLong || (refused.times > 0 && refused.text === text)
  // The note below the field says it already.
  if (offBy)
    return { why: { id: offBy, text: 'You can’t write here right now.' }, refuse: () => {}, line: undefined }
  return {
    why: why ? { id, text: why } : undefined,
    refuse: () => setRefused({ times: refused.times + 1, text }),
    line: why && (
      <p
        id={id}
        // The element is new each time, so that it is announced again.
        key={refused.times}
        role={isSaid ? 'alert' : undefined}
        className={isSaid ? classes('px-4 pt-1 text-sm', tooLong ? 'text-danger' : 'text-warn') : 'sr-only'}
      >
        {why}
      </p>
    ),
  }
}

function whyNot(text: string, tooLong: boolean, channel: ComposerChannel): string | undefined {
  if (text.trim() === '') return 'Write a message first.'
  if (tooLong)
    return `This is too long for ${channel === 'sealed' ? 'an encrypted' : 'a'} message. Split it in two.`
  return channel === 'held' ? 'Choose how to send it.' : undefined
}

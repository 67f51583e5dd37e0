import { type ReactNode, type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { focusUnlessTaken } from '../ui/focus.ts'
import { classes } from '../ui/classes.ts'
import { type Completions, useCompletion } from './completion.tsx'
import type { ComposerChannel, SendAs } from './message.ts'
import { useDraft } from './draft.ts'
import type { Attaching } from './given-files.ts'
import { EmojiButton } from './emoji/EmojiButton.tsx'
import { onFormat } from './format-keys.ts'
import { onEnter, onLeaving, useField } from './field.ts'
import { SendButton } from './SendButton.tsx'
import { useWhyNot } from './why-not.tsx'

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
  /** Files can be added to the message by this. */
  attaching?: Attaching | undefined
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
  attaching: files,
  note,
}: Props) {
  const { text, write, tried, setTried } = useText(draftKey)
  const field = useRef<HTMLTextAreaElement>(null)
  const noteId = useId()
  const tooLong = text.length > maxBytes / 8 && size(text) > maxBytes
  // An edit leaves the files of its message as they are.
  const attaching = chip?.isEdit || isOff ? undefined : files
  const { canSend, why, refuse, line } = useWhyNot({ text, tooLong, channel, isOff, noteId, attaching })

  useField(field, text, attaching?.hasFiles)
  useImperativeHandle(ref, () => ({ focus: () => field.current!.focus() }))
  const cancel = () => {
    // The draft of an edit ends with it.
    if (chip?.isEdit) write('')
    chip?.onCancel()
  }
  const completion = useCompletion({ field, text, write, sources: completions })
  const send = (as?: SendAs) => {
    focusUnlessTaken(field.current)
    if (!canSend) return
    if (!as && (channel === 'held' || channel === 'checking')) return setTried(channel)
    if (attaching?.isPreparing) return setTried('files')
    onSend(text.trim(), as)
    write('')
  }
  const waits = useWhenReady(tried, { channel, attaching }, send)

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
        {attaching?.tray}
        {completion.list}
        {attaching?.recorder?.(() => setTried('files'))}
        <div className={attaching?.recorder ? 'hidden' : 'flex items-end gap-2'}>
          <textarea
            {...completion.attributes}
            ref={field}
            value={text}
            {...{ 'aria-label': placeholder, placeholder, rows: 1, dir: 'auto', 'aria-invalid': tooLong }}
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
          {attaching?.button}
          {!isOff && <EmojiButton {...{ field, text, write }} />}
          <SendButton {...{ channel, why, waits }} isEdit={chip?.isEdit} />
        </div>
        {line}
        {!tooLong && <div id={noteId}>{note}</div>}
      </div>
    </form>
  )
}

/** Sends what has waited for its channel or its files. Returns what it waits for. */
function useWhenReady(
  tried: Tried | undefined,
  { channel, attaching }: { channel: ComposerChannel; attaching: Attaching | undefined },
  send: () => void,
): string | undefined {
  useEffect(() => {
    const isReady = channel === 'clear' || channel === 'sealed'
    if ((tried === 'checking' && isReady) || (tried === 'files' && !attaching?.isPreparing)) send()
  })
  if (tried === 'files') return attaching?.isPreparing ? 'Preparing files' : undefined
  return tried === channel ? 'Looking for keys' : undefined
}

const Held = ({ isTried, children }: { isTried: boolean; children: ReactNode }) => (
  <>
    {children}
    <p role="alert" className="pb-2 text-sm font-semibold text-channel empty:hidden">
      {isTried && 'Not sent yet. Choose how to send it below.'}
    </p>
  </>
)

/** Sending waits for the channel, or for the files. */
type Tried = ComposerChannel | 'files'

/** Returns the text, and what it waited for when the user tried to send. */
function useText(draftKey: string) {
  const [text, keep] = useDraft(draftKey)
  const [tried, setTried] = useState<Tried>()
  const write = (next: string) => {
    keep(next)
    setTried(undefined)
  }
  return { text, write, tried, setTried }
}

const none: Completions[] = []

import { kindOf } from '@parley/sdk/files/kinds.ts'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Message, MessageActs } from '../messages/message.ts'
import { useBackCloses } from '../state/back.ts'
import { useClosing } from '../ui/closing.ts'
import { showModal } from '../ui/show-modal.ts'
import { loadsByItself } from './by-itself.ts'
import { useLoaded } from './kept.ts'
import { isMedia } from './kinds.ts'
import { Stage } from './Stage.tsx'
import { type Viewed, viewedFile } from './viewed.ts'
import { ViewerBar, ViewerButton } from './ViewerBar.tsx'
import { useZoom } from './zoom.ts'

interface Props {
  /** The key of the file that is shown. */
  viewed: string
  messages: Message[]
  acts: MessageActs
}

const close = () => viewedFile.set(undefined)

/** Shows a picture or video on the whole screen, and the way to the others of the conversation. */
export function Viewer({ viewed, messages, acts }: Props) {
  const all = useMemo(
    () =>
      messages.flatMap((message) =>
        message.removed ? [] : (message.files ?? []).filter(isMedia).map((file) => ({ file, message })),
      ),
    [messages],
  )
  const at = all.findIndex(({ file }) => file.key === viewed)
  const isGone = at < 0
  useEffect(() => {
    if (isGone) close()
  }, [isGone])
  return isGone ? null : <Screen {...{ all, at, acts }} />
}

function Screen({ all, at, acts }: { all: Viewed[]; at: number; acts: MessageActs }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const { file, message } = all[at]!
  const [first] = useState(file.key)
  useDialog(dialog)
  const go = (step: number) => {
    const next = all[at + step]
    if (next) viewedFile.set(next.file.key)
  }
  const { view, zoomBy, handlers } = useZoom(file.key, stage, (to) =>
    to === 'close' ? close() : go(to === 'next' ? 1 : -1),
  )
  useKeys(dialog, { go, zoomBy })
  const place = `${at + 1} of ${all.length}`
  const word = kindOf(file) === 'video' ? 'Video' : 'Photo'
  const label = `${word} ${place} from ${message.mine ? 'you' : message.author}`
  const next = all[at + 1]
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      className="fixed inset-0 m-0 size-full max-h-none max-w-none flex-col overflow-hidden bg-black/92 pt-[env(safe-area-inset-top)] pb-[env(safe-area-inset-bottom)] text-white open:flex"
    >
      <ViewerBar
        {...{ file, message, zoomBy }}
        place={all.length > 1 ? place : ''}
        onReply={
          acts.may(message).reply
            ? () => {
                close()
                acts.begin('reply', message)
              }
            : undefined
        }
        onClose={close}
      />
      <div
        ref={stage}
        className="relative min-h-0 flex-1 touch-none overflow-hidden select-none"
        {...handlers}
      >
        <Stage key={file.key} {...{ file, message, view }} isWanted={file.key === first} />
      </div>
      {at > 0 && (
        <ViewerButton label="Previous" className={`start-2 ${besideIt}`} onClick={() => go(-1)}>
          <ChevronLeft />
        </ViewerButton>
      )}
      {next && (
        <ViewerButton label="Next" className={`end-2 ${besideIt}`} onClick={() => go(1)}>
          <ChevronRight />
        </ViewerButton>
      )}
      {file.alt && (
        <p
          dir="auto"
          className="max-h-[20dvh] shrink-0 overflow-y-auto px-4 py-2 text-center text-sm text-pretty"
        >
          {file.alt}
        </p>
      )}
      <p role="status" className="sr-only">
        {file.key !== first && `${label}${file.alt ? `: ${file.alt}` : ''}`}
      </p>
      {next && <Ahead key={next.file.key} {...next} />}
    </dialog>
  )
}

const besideIt = 'absolute top-1/2 bg-black/50 rtl:-scale-x-100'

/** Opens a dialog, which Escape and Back close. The focus stays inside, and returns afterwards. */
function useDialog(dialog: RefObject<HTMLDialogElement | null>): void {
  const { tryToClose } = useClosing(dialog, { onClose: close, keep: undefined })
  useBackCloses(tryToClose)
  useLayoutEffect(() => {
    const element = dialog.current!
    // This component decides what closes it.
    element.setAttribute('closedby', 'none')
    return showModal(element)
  }, [dialog])
}

interface ByKey {
  go: (step: number) => void
  zoomBy: (factor: number) => void
}

/** Follows the keyboard, also when a button that had the focus is gone. In a video, arrows go to another time. */
function useKeys(dialog: RefObject<HTMLDialogElement | null>, { go, zoomBy }: ByKey): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || target instanceof HTMLVideoElement) return
    if (target !== document.body && !dialog.current!.contains(target as Node)) return
    const act = {
      ArrowLeft: () => go(-1),
      ArrowRight: () => go(1),
      '+': () => zoomBy(1.5),
      '=': () => zoomBy(1.5),
      '-': () => zoomBy(1 / 1.5),
      '0': () => zoomBy(0),
    }[key]
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** Loads the picture that comes next. */
function Ahead({ file, message }: Viewed) {
  useLoaded(file, loadsByItself(file, message))
  return null
}

import { ImageIcon } from 'lucide-react'
import { type ComponentProps, useEffect, useMemo, useRef, useState } from 'react'
import type { FileParts } from '../messages/file-parts.tsx'
import type { Message } from '../messages/message.ts'
import { longDate, shortTime } from '../state/time.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { isMedia } from './kinds.ts'
import { OtherFile } from './OtherFile.tsx'
import { PictureBox } from './PictureBox.tsx'
import { isListShown, type Viewed } from './viewed.ts'

type Older = ComponentProps<FileParts['Dialogs']>['history']

interface Props {
  messages: Message[]
  history: Older
  goTo: (id: number) => void
}

const close = () => isListShown.set(false)

/** At once it reads this number of pages at most, and stops when it has found this number of files. */
const pagesAtOnce = 10
const filesAtOnce = 24

/** Lists the pictures and files of a conversation, the newest first. It walks back through the history as far as one wants. */
export function FileList({ messages, history, goTo }: Props) {
  const all = useMemo(() => filesIn(messages), [messages])
  const { isReading, read } = useWalk(history, all.length)
  useEffect(() => close, [])
  const media = all.filter(({ file }) => isMedia(file))
  const others = all.filter(({ file }) => !isMedia(file))
  const goToMessage = (id: number) => {
    close()
    // The dialog gives the focus back first.
    setTimeout(() => goTo(id), 50)
  }
  return (
    <Modal title="Photos and files" onClose={close}>
      {media.length > 0 && (
        <ul aria-label="Photos and videos" className="grid grid-cols-3 gap-1">
          {media.map((one) => (
            <Tile key={one.file.key} {...one} />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul aria-label="Files" className="grid grid-cols-1 gap-1">
          {others.map(({ file, message }) => (
            <li key={file.key} className="[&>div]:w-full">
              <OtherFile file={file} />
              <button
                type="button"
                className="block min-h-8 max-w-full truncate ps-13 text-start text-sm text-muted underline-offset-2 hover:underline pointer-coarse:min-h-11"
                onClick={() => goToMessage(message.id)}
              >
                <bdi>{message.mine ? 'You' : message.author}</bdi>, {shortTime(message.timestamp)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {all.length === 0 && !isReading && (
        <EmptyState icon={<ImageIcon className="size-7" />} title="No photos or files">
          {history.hasNextPage ? 'None in the messages that were searched.' : 'Nobody has sent any here.'}
        </EmptyState>
      )}
      {isReading ? (
        <Spinner label="Searching earlier messages" />
      ) : (
        history.hasNextPage && (
          <div className="grid grid-cols-1 gap-2 text-center">
            <p className="text-sm text-muted">
              {history.isError
                ? 'Earlier messages can’t be read now.'
                : messages[0] && `Searched back to ${longDate(messages[0].timestamp)}.`}
            </p>
            <Button onClick={read}>Search further back</Button>
          </div>
        )
      )}
    </Modal>
  )
}

const filesIn = (messages: Message[]): Viewed[] =>
  messages
    .filter(({ id, removed }) => id > 0 && !removed)
    .toReversed()
    .flatMap((message) => (message.files ?? []).map((file) => ({ file, message })))

/** Reads older messages until enough files are found. */
function useWalk({ hasNextPage, isFetching, isError, fetchNextPage }: Older, found: number) {
  const [aim, setAim] = useState({ pages: pagesAtOnce, files: filesAtOnce })
  const isReading = isFetching || (hasNextPage && !isError && aim.pages > 0 && found < aim.files)
  useEffect(() => {
    if (!isReading || isFetching) return
    setAim((before) => ({ ...before, pages: before.pages - 1 }))
    void fetchNextPage()
  }, [isReading, isFetching, fetchNextPage])
  const read = () => {
    setAim({ pages: pagesAtOnce, files: found + filesAtOnce })
    if (isError) void fetchNextPage()
  }
  return { isReading, read }
}

/** A picture that is not near the screen is not loaded. */
function Tile({ file, message }: Viewed) {
  const place = useRef<HTMLLIElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const seen = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: '200px' },
    )
    seen.observe(place.current!)
    return () => seen.disconnect()
  }, [])
  return (
    <li ref={place} className="relative aspect-square overflow-hidden rounded-lg bg-hover">
      {isNear && <PictureBox file={file} message={message} />}
    </li>
  )
}

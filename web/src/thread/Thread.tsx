import { maxMessageBytes } from '@parley/sdk'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { type ComponentProps, lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { MutedNote } from '../sanctions/MutedNote.tsx'
import { useForbidden } from '../sanctions/notices.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { useMe } from '../service/session.ts'
import { Composer, type ComposerHandle } from '../messages/Composer.tsx'
import { FileDialogs } from '../messages/file-parts.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { Line, Message, SendAs } from '../messages/message.ts'
import { NewestMessage } from '../messages/NewestMessage.tsx'
import { MessageList, type MessageListHandle, type Unseen } from '../messages/MessageList.tsx'
import { type GivenFiles, refusesFiles } from '../messages/given-files.ts'
import type { MessageParts } from '../messages/MessageRow.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { clockOrTime } from '../state/time.ts'
import { TypingLine } from '../messages/TypingLine.tsx'
import { useStore } from '../state/store.ts'
import { inClear, type Sealing, shownAbout, ThreadChangesContext, wayOf } from './changes.ts'
import { draftKey } from './drafts.ts'
import { FailedMessageActions } from './FailedMessageActions.tsx'
import { useLeave } from './leave.ts'
import type { Pages } from '../service/pages.ts'
import { SelectedText } from './CopyItems.tsx'
import { Pins } from './Pins.tsx'
import type { PinsOf } from './pins-of.ts'
import { type StoredMessage, useMessages } from './merged.ts'
import { ReactionNews } from './ReactionNews.tsx'
import { LostEdit } from './returned.tsx'
import { UnseenNote } from './unseen.tsx'
import type { Part } from './use-shown.ts'
import { useChanges } from './use-changes.ts'

const MessageDialogs = lazy(async () => ({
  default: (await import('./MessageDialogs.tsx')).MessageDialogs,
}))

interface Props
  extends
    Omit<
      ComponentProps<typeof Composer>,
      'draftKey' | 'maxBytes' | 'ref' | 'onUp' | 'onEscape' | 'onSend' | 'chip' | 'attaching'
    >,
    Omit<MessageParts, 'failedActions' | 'acts'> {
  /** This names the thread in the outbox and its draft. */
  thread: string
  header: ReactNode
  history: UseInfiniteQueryResult<Pages<unknown>>
  /** It is omitted where the end of the history is always shown. */
  part?: Part
  stored: StoredMessage[]
  label: string
  loading: string
  /** This is shown while there are no messages. */
  empty: ReactNode
  /** This is above the first message of all, and in an empty thread. */
  beginning?: ReactNode
  /** These lines are between the messages, oldest first. */
  lines?: Line[]
  /** This is what is new to the reader; null until that is known, omitted when nothing counts as new. */
  unseen?: Unseen | null
  /** These are the names of those who are typing; omitted when that is not known. */
  typing?: string[]
  onSend: (text: string, as?: SendAs, replyTo?: number) => void
  /** Threads that encrypt have this. */
  sealing?: Sealing
  /** A reply may quote these: all messages, where `stored` leaves some out. */
  quotable?: StoredMessage[]
  /** Its pinned messages; omitted where nothing is pinned. */
  pins?: PinsOf | undefined
  mayPin?: boolean
  /** When false, its messages only stand: no replies, edits, reactions and pins. */
  hasChanges?: boolean
  /** It takes files; omitted where messages have none. */
  files?: GivenFiles
  /** This replaces the field for the next message. */
  instead?: ReactNode
  /** This is above that field. */
  above?: ReactNode
  /** Runs when the reader wants to go to another day than that of this time; omitted where days are not found. */
  onDay?: ((timestamp: string) => void) | undefined
  /** The value changes when the field has to show another draft. */
  field?: number | undefined
}

/** Shows a thread of any kind: its stored and pending messages, and the field for the next one. */
export function Thread({
  thread,
  header,
  history,
  part = theEnd,
  stored,
  label,
  loading,
  empty,
  beginning,
  lines = none,
  menu,
  picture,
  mark,
  unseen: unseenAtEnd,
  typing,
  instead,
  above,
  field,
  files = withoutFiles,
  quotable = stored,
  pins,
  mayPin = false,
  sealing = inClear,
  hasChanges = true,
  onDay,
  onSend,
  ...composer
}: Props) {
  const me = useMe()
  const forbidden = useForbidden({ isNeeded: true })
  const isWhole = !history.hasNextPage
  const isEnd = part.around === undefined
  const unseen = isEnd ? unseenAtEnd : undefined
  const [messages, after] = useMessages(thread, { stored, quotable, lines, pins, isWhole, isEnd })
  const storedAt = history.data?.storedAt
  const list = useRef<MessageListHandle>(null)
  const composing = useRef<ComposerHandle>(null)
  const leave = useLeave()
  const toField = () => (composing.current ? composing.current.focus() : leave())
  const way = wayOf(!hasChanges || instead || forbidden ? 'held' : composer.channel)
  const parts = { thread, way, mayPin, messages, history, part, list, composing, onSend }
  const changes = useChanges({ ...sealing, ...parts })
  const given = instead || forbidden ? withoutFiles : files
  const opening = useOpening(storedAt !== undefined, unseen?.divider !== undefined)
  return (
    <ThreadChangesContext value={hasChanges ? changes.value : undefined}>
      <div className="relative flex h-full flex-col" {...given.handlers}>
        {header}
        {pins && messages.length > 0 && <Pins of={pins} goTo={changes.goTo} {...{ messages, mayPin }} />}
        <Failed history={history} />
        {(history.isPending && messages.length === 0) || (unseen === null && !history.error && !storedAt) ? (
          <div className="grid flex-1 place-items-center">
            <Spinner label={loading} />
          </div>
        ) : messages.length === 0 ? (
          <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
            {beginning}
            {history.error ? <NotHere /> : empty}
          </div>
        ) : (
          <MessageList
            key={`${opening} ${part.opening}`}
            ref={list}
            keyboard={{ onLeave: toField, onKey: changes.onKey }}
            {...{ label, messages, beginning, after, onDay }}
            loadOlder={history.hasNextPage ? () => readOlder(history) : undefined}
            loadingOlder={history.isFetchingNextPage}
            newer={part.around === undefined ? undefined : { ...part, around: part.around }}
            back={changes.back}
            unseen={unseen ?? undefined}
            {...{ menu, picture, mark, failedActions: FailedMessageActions }}
            acts={changes.acts}
          />
        )}
        <News messages={isEnd ? messages : none} />
        {storedAt && history.error && <ReadAt at={storedAt} />}
        {typing && <TypingLine names={typing} isOver={messages.length > 0} />}
        {changes.lost && <LostEdit {...changes.lost} />}
        {instead ?? (forbidden && <MutedNote forbidden={forbidden} />) ?? (
          <>
            {above}
            <Composer
              key={changes.composer.key ?? field}
              ref={composing}
              draftKey={draftKey(me, thread)}
              onEscape={leave}
              {...{ maxBytes: maxMessageBytes, about: aboutText, attaching: given.attaching }}
              {...composer}
              {...changes.composer}
            />
          </>
        )}
        <Over cover={given.cover} {...{ ...sealing, messages, history }} acts={changes.acts} />
      </div>
    </ThreadChangesContext>
  )
}

type OverProps = Sealing & { cover: ReactNode } & ComponentProps<typeof FileDialogs>

/** Shows what covers a thread, such as its dialogs. */
function Over({ openVersions, cover, ...files }: OverProps) {
  const isShown = useStore(shownAbout) !== undefined
  return (
    <>
      {cover}
      <SelectedText />
      <FileDialogs {...files} />
      <Suspense>{isShown && <MessageDialogs openVersions={openVersions} />}</Suspense>
    </>
  )
}

const none: never[] = []
const withoutFiles = refusesFiles('Files can’t be sent here.')
const theEnd: Part = { around: undefined, opening: 0, show: () => {}, loadNewer: undefined }

/** Says to screen readers what others have written and done. */
const News = ({ messages }: { messages: Message[] }) =>
  messages.length > 0 && (
    <>
      <NewestMessage messages={messages} />
      <ReactionNews messages={messages} />
    </>
  )

const aboutText = (text: string, change: (text: string) => void) => (
  <UnseenNote text={text} onRemove={change} />
)

/**
 * Returns the key of the list. Stored data is shown until the service has responded. When the response has new
 * messages, the key changes, and the list opens once more, at the first of them. Else it stays where it is.
 */
function useOpening(isStored: boolean, hasNew: boolean): string {
  const [opening, setOpening] = useState({ isStored, key: 'first' })
  if (opening.isStored !== isStored)
    setOpening({ isStored, key: !isStored && hasNew ? 'again' : opening.key })
  return opening.key
}

/** Reads a page more, once nothing else is being read: that would be given up, and with it what is newer than the stored messages. */
function readOlder({ isFetching, fetchNextPage }: Props['history']): void {
  if (!isFetching) void fetchNextPage()
}

const Failed = ({ history: { error, data, refetch } }: Pick<Props, 'history'>) =>
  error && !data && <ReadProblem error={error} what="Messages" onRetry={() => void refetch()} />

const NotHere = () => (
  <EmptyState icon={<CloudOff className="size-7" />} title="Not available offline">
    Open it once while you’re online, and it is kept on this device.
  </EmptyState>
)

const ReadAt = ({ at }: { at: number }) => (
  <p className="px-4 py-1 text-center text-xs text-pretty text-muted">Last updated {clockOrTime(at)}.</p>
)

import { maxMessageBytes } from '@parley/sdk'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useMemo, useState } from 'react'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { useMe } from '../service/session.ts'
import { Composer } from '../ui/Composer.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { Line, Message } from '../ui/message.ts'
import { NewestMessage } from '../ui/NewestMessage.tsx'
import { MessageList, type Unseen } from '../ui/MessageList.tsx'
import { noFiles } from '../ui/no-files.ts'
import type { MessageParts } from '../ui/MessageRow.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { clockOrTime } from '../ui/time.ts'
import { TypingLine } from '../ui/TypingLine.tsx'
import { FailedMessageActions } from './FailedMessageActions.tsx'
import { draftKey } from './drafts.ts'
import { type Entry, shownAs } from './entries.ts'
import { withLines } from './lines.ts'
import { useOutbox } from './outbox.ts'
import type { Pages } from './pages.ts'

/** A message that the service has. */
export type StoredMessage = Omit<Message, 'key'>

interface Props
  extends
    Omit<ComponentProps<typeof Composer>, 'draftKey' | 'maxBytes'>,
    Omit<MessageParts, 'failedActions'> {
  /** Names the thread in the outbox and its draft. */
  thread: string
  header: ReactNode
  history: UseInfiniteQueryResult<Pages<unknown>>
  /** The stored messages, oldest first. */
  stored: StoredMessage[]
  /** The accessible name of the list. */
  label: string
  /** The accessible name of the spinner. */
  loading: string
  /** Shown while there are no messages. */
  empty: ReactNode
  /** Shown above the first message of all, and where there is none. */
  beginning?: ReactNode
  /** What is told between the messages, oldest first. */
  lines?: Line[]
  /** What is new to the reader; null until that is known, left out where nothing counts as new. */
  unseen?: Unseen | null
  /** The names of those who are typing; left out where that is not known. */
  typing?: string[]
  /** Stands in place of the field for the next message. */
  instead?: ReactNode
  /** Stands above that field. */
  above?: ReactNode
  /** Another one for a field that is to show another draft. */
  field?: number | undefined
}

/**
 * The page of a thread of any kind: its stored and pending messages, and the field for the next
 * one.
 */
export function Thread({
  thread,
  header,
  history,
  stored,
  label,
  loading,
  empty,
  beginning,
  lines = none,
  menu,
  picture,
  mark,
  unseen,
  typing,
  instead,
  above,
  field,
  ...composer
}: Props) {
  const me = useMe()
  const pending = useOutbox(thread)
  const isWhole = !history.hasNextPage
  const [messages, after] = useMemo(
    () => withLines(merge(stored, pending, me), lines, isWhole),
    [stored, pending, me, lines, isWhole],
  )
  const keptAt = history.data?.kept
  const opening = useOpening(keptAt !== undefined, unseen?.divider !== undefined)
  return (
    <div className="flex h-full flex-col" {...noFiles}>
      {header}
      {history.error && !history.data && (
        <ReadProblem error={history.error} what="Its messages" onRetry={() => void history.refetch()} />
      )}
      {(history.isPending && messages.length === 0) || (unseen === null && !history.error && !keptAt) ? (
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
          key={opening}
          label={label}
          messages={messages}
          beginning={beginning}
          after={after}
          loadOlder={history.hasNextPage ? () => void history.fetchNextPage() : undefined}
          loadingOlder={history.isFetchingNextPage}
          unseen={unseen ?? undefined}
          menu={menu}
          picture={picture}
          mark={mark}
          failedActions={FailedMessageActions}
        />
      )}
      {messages.length > 0 && <NewestMessage messages={messages} />}
      {keptAt && history.error && <ReadAt at={keptAt} />}
      {typing && <TypingLine names={typing} />}
      {instead ?? (
        <>
          {above}
          <Composer key={field} draftKey={draftKey(me, thread)} maxBytes={maxMessageBytes} {...composer} />
        </>
      )}
    </div>
  )
}

const none: Line[] = []

/**
 * What was kept is shown until the service has answered. Where the answer has new messages, the list opens once
 * more, at the first of them: its key changes. Else it stays where it is.
 */
function useOpening(isKept: boolean, hasNew: boolean): string {
  const [opening, setOpening] = useState({ isKept, key: 'first' })
  if (opening.isKept !== isKept) setOpening({ isKept, key: !isKept && hasNew ? 'again' : opening.key })
  return opening.key
}

const NotHere = () => (
  <EmptyState icon={<CloudOff className="size-7" />} title="Not on this device">
    What you have read here last is kept on this device. This is not among it.
  </EmptyState>
)

const ReadAt = ({ at }: { at: number }) => (
  <p className="px-4 py-1 text-center text-xs text-pretty text-muted">
    Read at {clockOrTime(at)}. What came later is shown when the connection is back.
  </p>
)

/**
 * Stored and pending messages. A message that is both is shown once, also while its answer has not
 * come: then it is one of the same text that is not known to be another.
 */
function merge(stored: StoredMessage[], pending: Entry[], me: string): Message[] {
  const messages = stored.map((message) => ({ ...message, key: shownAs(message.id) }))
  const keys = new Set(messages.map(({ key }) => key))
  const waiting = pending.filter(({ id }) => !keys.has(id))
  const doubles = new Set<Message>()
  for (const { text, timestamp } of waiting.filter(({ state }) => state !== 'failed').toReversed()) {
    const double = messages.findLast(
      (one) =>
        one.mine &&
        one.key === String(one.id) &&
        one.text === text &&
        Date.parse(one.timestamp) >= Date.parse(timestamp) &&
        !doubles.has(one),
    )
    if (double) doubles.add(double)
  }
  return [...messages.filter((one) => !doubles.has(one)), ...waiting.map((entry) => toMessage(entry, me))]
}

/** An entry of the outbox as a message. */
const toMessage = ({ id, text, timestamp, state, problem, encrypt }: Entry, me: string): Message => ({
  key: id,
  id: 0,
  mine: true,
  fromaddr: me,
  author: '',
  text,
  timestamp,
  state,
  problem,
  lock: encrypt ? 'closed' : undefined,
})

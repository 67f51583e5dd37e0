import { maxMessageBytes } from '@parley/sdk'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ComponentProps, type ComponentType, type ReactNode, useMemo } from 'react'
import { describeError } from '../service/api.ts'
import { useMe } from '../service/session.ts'
import { shortAddress } from '../ui/address.ts'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { Composer } from '../ui/Composer.tsx'
import { mergePending, type Message } from '../ui/message.ts'
import { MessageList } from '../ui/MessageList.tsx'
import { MessageRow } from '../ui/MessageRow.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { TypingLine } from '../ui/TypingLine.tsx'
import { FailedMessageActions } from './FailedMessageActions.tsx'
import { useOutbox } from './outbox.ts'
import { toPending } from './pending.ts'

interface Props extends Omit<ComponentProps<typeof Composer>, 'draftKey' | 'maxBytes'> {
  /** Names the thread in the outbox and its draft. */
  thread: string
  header: ReactNode
  history: UseInfiniteQueryResult
  /** The stored messages, oldest first. */
  stored: Message[]
  /** The accessible name of the list. */
  label: string
  /** The accessible name of the spinner. */
  loading: string
  /** Shown while there are no messages. */
  empty: ReactNode
  /** The options of a message. */
  menu: ComponentType<{ message: Message }>
  /**
   * The picture of a sender, for threads of more than two people. Their names are shown there too.
   */
  picture?: ComponentType<{ address: string }>
  /** Called with the messages on the screen. */
  onShow?: (messages: Message[]) => void
  /** The names of those who are typing; left out where that is not known. */
  typing?: string[]
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
  menu: Menu,
  picture: Picture,
  onShow,
  typing,
  ...composer
}: Props) {
  const me = useMe()
  const pending = useOutbox(thread)
  const messages = useMemo(
    () =>
      mergePending(
        stored,
        pending.map((entry) => toPending(entry, me)),
      ),
    [stored, pending, me],
  )
  return (
    <div className="flex h-full flex-col">
      {header}
      {history.error && !history.data && (
        <Banner tone="danger" action={<Button onClick={() => void history.refetch()}>Try again</Button>}>
          {describeError(history.error)}
        </Banner>
      )}
      {history.isPending && messages.length === 0 ? (
        <div className="grid flex-1 place-items-center">
          <Spinner label={loading} />
        </div>
      ) : messages.length === 0 ? (
        <div className="flex min-h-0 flex-1">{empty}</div>
      ) : (
        <MessageList
          label={label}
          messages={messages}
          loadOlder={history.hasNextPage ? () => void history.fetchNextPage() : undefined}
          loadingOlder={history.isFetchingNextPage}
          onShow={onShow}
          render={(message, before, after) => (
            <MessageRow
              message={message}
              before={before}
              after={after}
              sender={Picture && (message.sender_name || shortAddress(message.fromaddr))}
              picture={Picture && <Picture address={message.fromaddr} />}
              menu={<Menu message={message} />}
              failedActions={<FailedMessageActions id={message.key} />}
            />
          )}
        />
      )}
      {typing ? <TypingLine names={typing} /> : <div className="h-2" />}
      <Composer draftKey={`parley.draft.${me} ${thread}`} maxBytes={maxMessageBytes} {...composer} />
    </div>
  )
}

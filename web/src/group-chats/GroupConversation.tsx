import { MessagesSquare } from 'lucide-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { announceTyping } from '../thread/announce-typing.ts'
import { describeError } from '../service/api.ts'
import { allItems, historyQuery } from '../thread/history.ts'
import { readInboxAgain } from '../inbox/cache.ts'
import { Mend } from '../thread/FailedMessage.tsx'
import { enqueue, useOutbox } from '../thread/outbox.ts'
import { useMe } from '../service/session.ts'
import { useTyping } from '../thread/typing.ts'
import { shortAddress } from '../ui/address.ts'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { Composer } from '../ui/Composer.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { joined } from '../ui/message.ts'
import { MessageList } from '../ui/MessageList.tsx'
import { MessageRow } from '../ui/MessageRow.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { TypingLine } from '../ui/TypingLine.tsx'
import { SenderPicture } from '../names/SenderPicture.tsx'
import { enterChat } from './enter.ts'
import { GroupMessageMenu } from './GroupMessageMenu.tsx'
import { toGroupMessage, toPendingGroupMessage } from './to-message.ts'

interface Props {
  nftaddr: string
  title: string
  header: ReactNode
}

/** What is said in an NFT chat or a community. */
export function GroupConversation({ nftaddr, title, header }: Props) {
  const me = useMe()
  const input = { address: nftaddr, useraddress: me }
  const history = useInfiniteQuery(historyQuery('listGroupMessages', input))
  const thread = `chat ${nftaddr.toLowerCase()}`
  const pending = useOutbox(thread)
  const typing = useTyping(nftaddr).filter((wallet) => wallet !== me)
  const items = useMemo(() => allItems(history.data), [history.data])
  const messages = useMemo(
    () =>
      joined(
        items.map((item) => toGroupMessage(item, me)),
        pending.map((entry) => toPendingGroupMessage(entry, me)),
      ),
    [items, pending, me],
  )
  // Reading the history has entered the chat: nothing in it is unread any more.
  const last = items.at(-1)
  const lastId = last && last.fromaddr !== me ? last.id : 0
  useEffect(() => {
    if (history.data) enterChat(nftaddr, me, lastId)
  }, [nftaddr, me, lastId, history.data])
  useEffect(() => readInboxAgain(), [history.isSuccess])
  const nameOf = (wallet: string) =>
    items.findLast(({ fromaddr }) => fromaddr === wallet)?.sender_name || shortAddress(wallet)

  const send = (text: string) =>
    enqueue({
      endpoint: 'postGroupMessage',
      body: { fromaddr: me, nftaddr, message: text },
      histories: [{ name: 'listGroupMessages', input }],
      thread,
      text,
    })
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
          <Spinner label="Loading messages" />
        </div>
      ) : messages.length === 0 ? (
        <div className="flex min-h-0 flex-1">
          <EmptyState icon={<MessagesSquare className="size-7" />} title="Nobody has said anything yet">
            Be the first: {title} is open to every wallet that may post here.
          </EmptyState>
        </div>
      ) : (
        <MessageList
          label={`Messages in ${title}`}
          messages={messages}
          loadOlder={history.hasNextPage ? () => void history.fetchNextPage() : undefined}
          loadingOlder={history.isFetchingNextPage}
          render={(message, before, after) => (
            <MessageRow
              message={message}
              before={before}
              sender={message.sender_name || shortAddress(message.fromaddr)}
              picture={
                after?.fromaddr === message.fromaddr ? ' ' : <SenderPicture address={message.fromaddr} />
              }
              menu={<GroupMessageMenu message={message} />}
              mend={<Mend id={message.key} />}
            />
          )}
        />
      )}
      <TypingLine names={typing.map(nameOf)} />
      <Composer
        draftKey={`parley.draft.${me} ${thread}`}
        placeholder={`Message ${title}`}
        onSend={send}
        onTyping={() => announceTyping({ fromaddr: me, nftaddr })}
      />
    </div>
  )
}

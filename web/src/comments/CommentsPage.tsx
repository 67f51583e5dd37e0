import { useInfiniteQuery } from '@tanstack/react-query'
import { MessageSquareQuote } from 'lucide-react'
import { useMemo } from 'react'
import { useParams } from 'react-router'
import { describeError } from '../service/api.ts'
import { allItems, historyQuery } from '../thread/history.ts'
import { Mend } from '../thread/FailedMessage.tsx'
import { SenderPicture } from '../names/SenderPicture.tsx'
import { enqueue, useOutbox } from '../thread/outbox.ts'
import { useMe } from '../service/session.ts'
import { shortAddress } from '../ui/address.ts'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { Composer } from '../ui/Composer.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { joined } from '../ui/message.ts'
import { MessageList } from '../ui/MessageList.tsx'
import { MessageRow } from '../ui/MessageRow.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { GroupMessageMenu } from '../group-chats/GroupMessageMenu.tsx'
import { CommentsHeader } from './CommentsHeader.tsx'
import { toComment, toPendingComment } from './to-message.ts'

/** The public comments on one NFT. */
export function CommentsPage() {
  const me = useMe()
  const { nftaddr: contract = '', nftid = '' } = useParams()
  const nftaddr = contract.toLowerCase()
  const input = useMemo(() => ({ nftaddr, nftid }), [nftaddr, nftid])
  const history = useInfiniteQuery({ ...historyQuery('listComments', input), refetchInterval: 20_000 })
  const thread = `comments ${nftaddr} ${nftid}`
  const pending = useOutbox(thread)
  const items = useMemo(() => allItems(history.data), [history.data])
  const messages = useMemo(
    () =>
      joined(
        items.map((item) => toComment(item, me)),
        pending.map((entry) => toPendingComment(entry, me)),
      ),
    [items, pending, me],
  )
  const send = (text: string) =>
    enqueue({
      endpoint: 'createComment',
      body: { fromaddr: me, nftaddr, nftid, message: text },
      histories: [{ name: 'listComments', input }],
      thread,
      text,
    })
  return (
    <div className="flex h-full flex-col">
      <CommentsHeader nftaddr={nftaddr} nftid={nftid} own={items.some(({ fromaddr }) => fromaddr === me)} />
      {history.error && !history.data && (
        <Banner tone="danger" action={<Button onClick={() => void history.refetch()}>Try again</Button>}>
          {describeError(history.error)}
        </Banner>
      )}
      {history.isPending && messages.length === 0 ? (
        <div className="grid flex-1 place-items-center">
          <Spinner label="Loading comments" />
        </div>
      ) : messages.length === 0 ? (
        <div className="flex min-h-0 flex-1">
          <EmptyState icon={<MessageSquareQuote className="size-7" />} title="No comments yet">
            Comments are public: everybody who opens this token sees them.
          </EmptyState>
        </div>
      ) : (
        <MessageList
          label={`Comments on ${shortAddress(nftaddr)} #${nftid}`}
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
      <div className="h-2" />
      <Composer draftKey={`parley.draft.${me} ${thread}`} placeholder="Add a public comment" onSend={send} />
    </div>
  )
}

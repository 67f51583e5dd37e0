import type { GroupChatItem } from '@parley/sdk'
import { MessagesSquare } from 'lucide-react'
import { type ReactNode, useEffect, useMemo } from 'react'
import { readInboxAgain } from '../inbox/cache.ts'
import { SenderPicture } from '../names/SenderPicture.tsx'
import { useMe } from '../service/session.ts'
import { groupHistory, useHistory } from '../thread/history.ts'
import { enqueue } from '../thread/outbox.ts'
import { type StoredMessage, Thread } from '../thread/Thread.tsx'
import { announceTyping, useTyping } from '../thread/typing.ts'
import { shortAddress } from '../ui/address.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { enterChat } from './enter.ts'
import { GroupMessageMenu } from './GroupMessageMenu.tsx'

interface Props {
  nftaddr: string
  title: string
  header: ReactNode
}

/** The messages of an NFT chat or a community. */
export function GroupConversation({ nftaddr, title, header }: Props) {
  const me = useMe()
  const chat = groupHistory(nftaddr, me)
  const { history, items } = useHistory(chat)
  const thread = `chat ${nftaddr.toLowerCase()}`
  const typing = useTyping(nftaddr).filter((wallet) => wallet !== me)
  const stored = useMemo(() => items.map((item) => toMessage(item, me)), [items, me])
  // Reading the history marks everything in the chat as read.
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
      histories: [chat],
      thread,
      text,
    })
  return (
    <Thread
      thread={thread}
      header={header}
      history={history}
      stored={stored}
      label={`Messages in ${title}`}
      loading="Loading messages"
      empty={
        <EmptyState icon={<MessagesSquare className="size-7" />} title="Nobody has said anything yet">
          Be the first: {title} is open to every wallet that may post here.
        </EmptyState>
      }
      menu={GroupMessageMenu}
      picture={SenderPicture}
      typing={typing.map(nameOf)}
      placeholder={`Message ${title}`}
      onSend={send}
      onTyping={() => announceTyping({ fromaddr: me, nftaddr })}
    />
  )
}

function toMessage(
  { id, fromaddr, sender_name, message, timestamp }: GroupChatItem,
  me: string,
): StoredMessage {
  const author = sender_name || shortAddress(fromaddr)
  return { id, mine: fromaddr === me, fromaddr, author, text: message, timestamp, state: 'sent' }
}

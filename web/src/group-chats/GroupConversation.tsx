import type { GroupChatItem } from '@parley/sdk'
import { MessagesSquare } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import type { Reading } from '../inbox/reading.ts'
import { useRow } from '../inbox/rows.ts'
import { useReading } from '../inbox/use-reading.ts'
import { SenderPicture } from '../names/SenderPicture.tsx'
import { useMe } from '../service/session.ts'
import { groupHistory, useHistory } from '../thread/history.ts'
import { enqueue } from '../thread/outbox.ts'
import { type StoredMessage, Thread } from '../thread/Thread.tsx'
import { announceTyping, useTyping } from '../thread/typing.ts'
import { shortAddress } from '../ui/address.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { GroupMessageMenu } from './GroupMessageMenu.tsx'
import { useJoined } from './joined.ts'

interface Props {
  nftaddr: string
  context_type: 'nft' | 'community'
  title: string
  header: ReactNode
}

/** The messages of an NFT chat or a community. */
export function GroupConversation({ nftaddr, context_type, title, header }: Props) {
  const me = useMe()
  const chat = groupHistory(nftaddr, me)
  const reading = useMemo<Reading>(() => ({ context_type, addr: nftaddr }), [context_type, nftaddr])
  const { row, isKnown } = useRow(reading)
  const unread = row?.unread ?? 0
  const { history, items } = useHistory(chat, { unread })
  const thread = `chat ${nftaddr.toLowerCase()}`
  const typing = useTyping(nftaddr).filter((wallet) => wallet !== me)
  const names = useMemo(
    () => new Map(items.map(({ fromaddr, sender_name }) => [fromaddr, sender_name])),
    [items],
  )
  const stored = useMemo(() => items.map((item) => toMessage(item, me, names)), [items, me, names])
  const received = useMemo(() => {
    const ofOthers = items.filter(({ fromaddr }) => fromaddr !== me)
    return ofOthers.map(({ id }, i) => ({ id, isUnread: i >= ofOthers.length - unread }))
  }, [items, me, unread])
  const unseen = useReading({ me, reading, received, unread, history, isKnown })
  const nameOf = (wallet: string) => names.get(wallet) || shortAddress(wallet)

  const { joinByPosting } = useJoined(nftaddr)
  const send = (text: string) => {
    joinByPosting()
    enqueue({
      endpoint: 'postGroupMessage',
      body: { fromaddr: me, nftaddr, message: text },
      histories: [chat],
      thread,
      text,
    })
  }
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
      unseen={unseen}
      typing={typing.map(nameOf)}
      placeholder={`Message ${title}`}
      onSend={send}
      onTyping={() => announceTyping({ fromaddr: me, nftaddr })}
    />
  )
}

/** `names` has the newest name of each sender. */
function toMessage(
  { id, fromaddr, message, timestamp }: GroupChatItem,
  me: string,
  names: Map<string, string>,
): StoredMessage {
  const author = names.get(fromaddr) || shortAddress(fromaddr)
  return { id, mine: fromaddr === me, fromaddr, author, text: message, timestamp, state: 'sent' }
}

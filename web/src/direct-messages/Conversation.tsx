import { MessageCircle } from 'lucide-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { describeError } from '../service/api.ts'
import { allItems, historyQuery } from '../thread/history.ts'
import { useProfile } from '../names/profile.ts'
import { EncryptionNote, willEncrypt } from '../keys/EncryptionNote.tsx'
import { KeyChanged } from '../keys/KeyChanged.tsx'
import { useKeyring } from '../keys/keyring.ts'
import { usePeerKey } from '../keys/peer.ts'
import { useReadable } from '../keys/readable.ts'
import { Mend } from '../thread/FailedMessage.tsx'
import { enqueue, useOutbox } from '../thread/outbox.ts'
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
import { announceTyping } from '../thread/announce-typing.ts'
import { historiesOf, type Nft } from './cache.ts'
import { ConversationHeader } from './ConversationHeader.tsx'
import { MessageMenu } from './MessageMenu.tsx'
import { markRead } from './receipts.ts'
import { toMessage, toPendingMessage } from './to-message.ts'

interface Props {
  me: string
  peer: string
  nft: Nft | undefined
}

export function Conversation({ me, peer, nft }: Props) {
  const pair = { fromaddr: me, toaddr: peer }
  const history = useInfiniteQuery(
    nft
      ? (historyQuery('listNftConversation', { ...pair, ...nft }) as never)
      : historyQuery('listConversation', pair),
  )
  const thread = nft ? `dm ${peer} ${nft.nftaddr} ${nft.nftid}` : `dm ${peer}`
  const pending = useOutbox(thread)
  const typing = useTyping(peer)
  const { name } = useProfile(peer)
  const title = peer === me ? 'Note to self' : name || shortAddress(peer)
  const read = useReadable()
  const ring = useKeyring()
  const peerKey = usePeerKey(peer)
  const encrypted = willEncrypt(ring, peerKey)
  const items = useMemo(() => allItems(history.data), [history.data])
  const messages = useMemo(
    () =>
      joined(
        items.map((item) => toMessage(item, read(item), me, nft)),
        pending.map((entry) => toPendingMessage(entry, me)),
      ),
    [items, pending, me, nft, read],
  )
  const send = (text: string) => {
    enqueue({
      endpoint: 'sendDirectMessage',
      body: { ...pair, message: text, ...nft },
      histories: historiesOf(me, peer, nft),
      thread,
      text,
      ...(encrypted && { encrypt: peerKey.key }),
    })
  }
  return (
    <div className="flex h-full flex-col">
      <ConversationHeader peer={peer} title={title} nft={nft} />
      <KeyChanged peer={peerKey} title={title} />
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
          <EmptyState icon={<MessageCircle className="size-7" />} title={`Say hello to ${title}`}>
            {nft
              ? 'Nothing was said about this NFT yet.'
              : 'The wallet need not have been here before: your message waits for it.'}
          </EmptyState>
        </div>
      ) : (
        <MessageList
          label={`Messages with ${title}`}
          messages={messages}
          loadOlder={history.hasNextPage ? () => void history.fetchNextPage() : undefined}
          loadingOlder={history.isFetchingNextPage}
          onShow={(shown) => markRead(me, items, shown)}
          render={(message, before) => (
            <MessageRow
              message={message}
              before={before}
              menu={<MessageMenu message={message} />}
              mend={<Mend id={message.key} />}
            />
          )}
        />
      )}
      <TypingLine names={typing.length > 0 && peer !== me ? [title] : []} />
      <Composer
        draftKey={`parley.draft.${me} ${thread}`}
        placeholder={`Message ${title}`}
        onSend={send}
        onTyping={() => announceTyping({ fromaddr: me, toaddr: peer })}
        note={<EncryptionNote peer={peerKey} title={title} />}
      />
    </div>
  )
}

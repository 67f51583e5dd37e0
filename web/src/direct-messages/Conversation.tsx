import type { ChatItem } from '@parley/sdk'
import { MessageCircle } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { EncryptionNote } from '../keys/EncryptionNote.tsx'
import { LookAlikeWarning } from '../inbox/LookAlikeWarning.tsx'
import { newsLines } from '../keys/news-lines.tsx'
import { type Readable, useReadable } from '../keys/readable.ts'
import type { Reading } from '../inbox/reading.ts'
import { useRow } from '../inbox/rows.ts'
import { useReading } from '../inbox/use-reading.ts'
import { sealedSize } from '../keys/sealed-size.ts'
import { useChannel } from '../keys/use-channel.ts'
import { NftChip } from '../nfts/NftChip.tsx'
import { pathAbout } from '../nfts/path.ts'
import { useProfile } from '../names/profile.ts'
import { conversationHistories, type Nft, useHistory } from '../thread/history.ts'
import { enqueue } from '../thread/outbox.ts'
import { type StoredMessage, Thread } from '../thread/Thread.tsx'
import { announceTyping, useTyping } from '../thread/typing.ts'
import { shortAddress } from '../ui/address.ts'
import type { SendAs } from '../ui/composer-channel.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { shortTime } from '../ui/time.ts'
import { ConversationHeader } from './ConversationHeader.tsx'
import { useRemaining } from './deletions.ts'
import { Emptied } from './Emptied.tsx'
import { MessageMenu } from './MessageMenu.tsx'

const HeldMessage = lazy(async () => ({ default: (await import('../keys/HeldMessage.tsx')).HeldMessage }))
const NftCard = lazy(async () => ({ default: (await import('../nfts/NftCard.tsx')).NftCard }))

interface Props {
  me: string
  peer: string
  nft: Nft | undefined
}

/** The conversation of two wallets, whole or about one NFT. */
export function Conversation({ me, peer, nft }: Props) {
  const pair = { fromaddr: me, toaddr: peer }
  const histories = conversationHistories(me, peer, nft)
  // The last one is the one about the NFT, if the page is about one.
  const { nftaddr, nftid } = nft ?? {}
  const reading = useMemo<Reading>(
    () => ({ context_type: 'dm', addr: peer, nft: nftaddr && nftid ? { nftaddr, nftid } : undefined }),
    [peer, nftaddr, nftid],
  )
  const { row } = useRow(reading)
  // The row counts all of the conversation.
  const unread = nft ? 0 : (row?.unread ?? 0)
  const { history, items: all } = useHistory(histories.at(-1)!, { unread })
  const items = useRemaining(all)
  const thread = nft ? `dm ${peer} ${nft.nftaddr} ${nft.nftid}` : `dm ${peer}`
  const typing = useTyping(peer)
  const { name } = useProfile(peer, { isFresh: true })
  const alone = peer === me
  const title = alone ? 'Note to self' : name || shortAddress(peer)
  const read = useReadable()
  const { channel, peerKey, keys, keyFor } = useChannel(peer, items)
  const lines = useMemo(() => newsLines(peer, title, peerKey.known), [peer, title, peerKey.known])
  const stored = useMemo(
    () => items.map((item) => toMessage(item, read(item), { me, title, nft })),
    [items, me, title, nft, read],
  )
  const received = useMemo(
    () =>
      items
        .filter(({ fromaddr }) => fromaddr !== me)
        .map(({ id, read: isRead }) => ({ id, isUnread: !isRead })),
    [items, me],
  )
  const unseen = useReading({ me, reading, received, unread, history, isKnown: true })
  const send = (text: string, as?: SendAs) => {
    const encrypt = keyFor(as)
    enqueue({
      endpoint: 'sendDirectMessage',
      body: { ...pair, message: text, ...nft },
      histories,
      thread,
      text,
      ...(encrypt && { encrypt }),
    })
  }
  return (
    <Thread
      thread={thread}
      header={
        <>
          <ConversationHeader peer={peer} title={title} nft={nft} isCompared={!alone && keys?.isCompared} />
          <LookAlikeWarning address={peer} />
          {nft && (
            <Suspense>
              <NftCard {...nft} peer={peer} peerName={title} closeTo={`/dm/${encodeURIComponent(peer)}`} />
            </Suspense>
          )}
        </>
      }
      history={history}
      stored={stored}
      label={`Messages with ${title}`}
      loading="Loading messages"
      empty={
        <EmptyState
          icon={<MessageCircle className="size-7" />}
          title={alone ? 'Notes to yourself' : `Say hello to ${title}`}
        >
          {emptyHint(alone, nft)}
        </EmptyState>
      }
      beginning={nft ? undefined : <Emptied me={me} peer={peer} title={title} />}
      lines={lines}
      menu={MessageMenu}
      unseen={unseen}
      typing={typing.length > 0 && !alone ? [title] : []}
      placeholder={alone ? 'Message yourself' : `Message ${title}`}
      channel={channel.kind}
      size={channel.kind === 'sealed' ? sealedSize : undefined}
      held={
        channel.kind === 'held' && (
          <Suspense>
            <HeldMessage why={channel.why} address={peer} title={title} peer={peerKey} />
          </Suspense>
        )
      }
      onSend={send}
      onTyping={() => announceTyping({ fromaddr: me, toaddr: peer })}
      note={alone ? undefined : <EncryptionNote channel={channel} peer={peer} title={title} />}
    />
  )
}

function emptyHint(alone: boolean, nft: Nft | undefined): string {
  if (nft) return 'Nothing was said about this NFT yet.'
  return alone
    ? 'Write down what you want to find on all your devices.'
    : 'The wallet need not have been here before: your message waits for it.'
}

/** The NFT a message is about is named unless the page is about that NFT. */
function toMessage(
  { id, fromaddr, toaddr, sender_name, timestamp, read, nftaddr, nftid }: ChatItem,
  { text, lock, repeated, writtenAt }: Readable,
  { me, title, nft }: { me: string; title: string; nft: Nft | undefined },
): StoredMessage {
  return {
    id,
    mine: fromaddr === me,
    fromaddr,
    author: sender_name || title,
    text,
    lock,
    remark: repeated
      ? 'Sent before: a copy of an earlier message.'
      : writtenAt && `Written ${shortTime(writtenAt)}.`,
    timestamp,
    state: read && toaddr !== me ? 'read' : 'sent',
    context:
      nftaddr && nftid && !nft ? (
        <NftChip
          nftaddr={nftaddr}
          nftid={nftid}
          to={pathAbout(fromaddr === me ? toaddr : fromaddr, { nftaddr, nftid })}
        />
      ) : undefined,
  }
}

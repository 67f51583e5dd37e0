import { MessageCircle } from 'lucide-react'
import { PolicyNote } from '../contacts/PolicyNote.tsx'
import { useStanding } from '../contacts/standing.ts'
import { Undecided } from '../contacts/Undecided.tsx'
import { type ComponentProps, lazy, Suspense, useMemo, useState } from 'react'
import { EncryptionNote } from '../keys/EncryptionNote.tsx'
import { newsLines } from '../keys/news-lines.tsx'
import type { Reading } from '../inbox/reading.ts'
import { useRow } from '../inbox/rows.ts'
import { useReadable } from '../keys/readable.ts'
import { useReading } from '../inbox/use-reading.ts'
import { sealedSize } from '../keys/sealed-size.ts'
import { useChannel } from '../keys/use-channel.ts'
import { useSuggestion } from '../suggested/Suggestion.tsx'
import { useProfile } from '../names/profile.ts'
import { conversationHistories, type Nft } from '../thread/history.ts'
import { useHistory } from '../thread/use-history.ts'
import { enqueue } from '../thread/outbox.ts'
import { KeptFor } from '../thread/KeptFor.tsx'
import { draftKey } from '../thread/drafts.ts'
import { Thread } from '../thread/Thread.tsx'
import { announceTyping, useTyping } from '../thread/typing.ts'
import { shortAddress } from '../ui/address.ts'
import type { SendAs } from '../ui/composer-channel.ts'
import { beginDraft } from '../ui/draft.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ConversationTop } from './ConversationTop.tsx'
import { useRemaining } from './deletions.ts'
import { Emptied } from './Emptied.tsx'
import { MessageMenu } from './MessageMenu.tsx'
import { toMessage } from './to-message.tsx'

const HeldChoices = lazy(async () => ({ default: (await import('../keys/HeldMessage.tsx')).HeldMessage }))

const HeldMessage = (props: ComponentProps<typeof HeldChoices>) => (
  <Suspense>
    <HeldChoices {...props} />
  </Suspense>
)

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
  const hasReceived =
    history.data || history.error ? items.some(({ fromaddr }) => fromaddr === peer) : undefined
  const isFirst = !nft && history.data !== undefined && hasReceived === false
  const standing = useStanding(peer, hasReceived)
  const linksOff = standing !== 'open'
  const stored = useMemo(
    () => items.map((item) => toMessage(item, read(item), { me, title, nft, linksOff })),
    [items, me, title, nft, read, linksOff],
  )
  const received = useMemo(
    () =>
      items
        .filter(({ fromaddr }) => fromaddr !== me)
        .map(({ id, read: isRead }) => ({ id, isUnread: !isRead })),
    [items, me],
  )
  const mayRead = standing === 'open'
  const unseen = useReading({ me, reading, received, unread, history, isKnown: true, mayRead })
  const { above, field, afterSending } = useSuggestion(nft ? undefined : { toaddr: peer }, thread)
  const { asked, ask } = useAsking(draftKey(me, thread))
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
    afterSending()
  }
  return (
    <Thread
      thread={thread}
      header={
        <ConversationTop
          peer={peer}
          title={title}
          nft={nft}
          standing={standing}
          isCompared={!alone && keys?.isCompared}
          messages={stored}
        />
      }
      history={history}
      stored={stored}
      label={`Messages with ${title}`}
      loading="Loading messages"
      empty={<Nothing alone={alone} title={title} nft={nft} />}
      beginning={<KeptFor>{!nft && <Emptied me={me} peer={peer} title={title} />}</KeptFor>}
      lines={lines}
      menu={MessageMenu}
      unseen={unseen}
      typing={typing.length > 0 && !alone ? [title] : []}
      instead={
        standing === 'open' ? undefined : <Undecided me={me} peer={peer} title={title} standing={standing} />
      }
      above={above}
      field={(field ?? 0) + asked}
      placeholder={alone ? 'Message yourself' : `Message ${title}`}
      channel={channel.kind}
      size={channel.kind === 'sealed' ? sealedSize : undefined}
      held={
        channel.kind === 'held' && (
          <HeldMessage why={channel.why} address={peer} title={title} peer={peerKey} />
        )
      }
      onSend={send}
      onTyping={() => announceTyping({ fromaddr: me, toaddr: peer })}
      note={
        alone ? undefined : (
          <Below channel={channel} peer={peer} title={title} isFirst={isFirst} onAsk={ask} />
        )
      }
    />
  )
}

/** Begins a message that asks for encryption; the field shows it once another one stands in its place. */
function useAsking(key: string) {
  const [asked, setAsked] = useState(0)
  const ask = () => {
    beginDraft(key, 'Can you turn on encryption? Settings → Encryption.')
    setAsked(asked + 1)
  }
  return { asked, ask }
}

interface BelowProps extends ComponentProps<typeof EncryptionNote> {
  /** Whether the other one has not written yet. */
  isFirst: boolean
}

const Below = ({ isFirst, ...note }: BelowProps) => (
  <>
    <EncryptionNote {...note} />
    {isFirst && <PolicyNote peer={note.peer} title={note.title} />}
  </>
)

const Nothing = ({ alone, title, nft }: { alone: boolean; title: string; nft: Nft | undefined }) => (
  <EmptyState
    icon={<MessageCircle className="size-7" />}
    title={alone ? 'Notes to yourself' : `Say hello to ${title}`}
  >
    {emptyHint(alone, nft)}
  </EmptyState>
)

function emptyHint(alone: boolean, nft: Nft | undefined): string {
  if (nft) return 'Nothing was said about this NFT yet.'
  return alone
    ? 'Write down what you want to find on all your devices.'
    : 'The wallet need not have been here before: your message waits for it.'
}

import type { ChatItem } from '@parley/sdk'
import { MessageCircle } from 'lucide-react'
import { useAllowance } from '../contacts/allowance.ts'
import { PolicyNote } from '../contacts/PolicyNote.tsx'
import { useStanding } from '../contacts/relation.ts'
import { Undecided } from '../contacts/Undecided.tsx'
import { type ComponentProps, lazy, Suspense, useMemo, useState } from 'react'
import { AnswerOffer } from '../hand-over/AnswerOffer.tsx'
import { EncryptionNote } from '../keys/view/EncryptionNote.tsx'
import { useNewsLines } from '../keys/view/news-lines.tsx'
import type { Reading } from '../inbox/reading.ts'
import { useRow } from '../inbox/rows.ts'
import { useReading } from '../inbox/use-reading.ts'
import { sealedSize } from '../keys/crypto/sealed-size.ts'
import { useFiles } from '../files/use-files.tsx'
import { useChannel } from '../keys/state/use-channel.ts'
import { askForDay } from '../search/bar.ts'
import { useSuggestion } from '../suggested/Suggestion.tsx'
import { useName } from '../names/profile.ts'
import { conversationHistories, type Nft } from '../thread/history.ts'
import { useHistory } from '../thread/use-history.ts'
import { useShown } from '../thread/use-shown.ts'
import { enqueue } from '../thread/outbox.ts'
import { RetentionNote } from '../thread/RetentionNote.tsx'
import { draftKey } from '../thread/drafts.ts'
import { Thread } from '../thread/Thread.tsx'
import { announceTyping, useTyping } from '../thread/typing.ts'
import { shortAddress } from '../seal/address.ts'
import type { SendAs } from '../messages/message.ts'
import { beginDraft } from '../messages/draft.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useSealing } from './changes.ts'
import { ConversationTop } from './ConversationTop.tsx'
import { useRemaining } from './deletions.ts'
import { MessageMenu } from './MessageMenu.tsx'
import { quotedOf } from './to-message.tsx'
import { useStored } from './use-stored.ts'
import { useQuery } from '@tanstack/react-query'
import { query } from '../service/api.ts'
import { shortTime } from '../state/time.ts'

const HeldChoices = lazy(async () => ({
  default: (await import('../keys/view/HeldMessage.tsx')).HeldMessage,
}))

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

/** Shows the conversation of two wallets, all of it or the part about one NFT. */
export function Conversation({ me, peer, nft }: Props) {
  const pair = { fromaddr: me, toaddr: peer }
  const histories = conversationHistories(me, peer, nft)
  // On a page about an NFT, the last one is the one about that NFT.
  const { nftaddr, nftid } = nft ?? {}
  const reading = useMemo<Reading>(
    () => ({ context_type: 'dm', addr: peer, nft: nftaddr && nftid ? { nftaddr, nftid } : undefined }),
    [peer, nftaddr, nftid],
  )
  const { row } = useRow(reading)
  // The row counts the unread messages of the whole conversation.
  const unread = nft ? 0 : (row?.unread ?? 0)
  const { history, items, shown } = useRead(histories.at(-1)!, unread)
  const thread = nft ? `dm ${peer} ${nft.nftaddr} ${nft.nftid}` : `dm ${peer}`
  const typing = useTyping(peer)
  const { name } = useName(peer, { isFresh: true })
  const alone = peer === me
  const title = alone ? 'Note to self' : name || shortAddress(peer)
  const { channel, peerKey, keys, keyFor } = useChannel(peer, items)
  const hasReceived =
    history.data || history.error ? items.some(({ fromaddr }) => fromaddr === peer) : undefined
  const isFirst = !nft && history.data !== undefined && hasReceived === false
  // Only the whole conversation has all messages that count.
  const left = useAllowance(peer, items, isFirst && !history.hasNextPage)
  const standing = useStanding(peer, hasReceived)
  const linksOff = standing !== 'open'
  const isStored = shown.history.data?.storedAt !== undefined
  const stored = useStored(shown.items, { me, title, nft, linksOff, isStored })
  const sealing = useSealing(shown.items, stored, keyFor(undefined))
  const lines = useNewsLines(peer, title, peerKey.known, stored)
  const received = useMemo(() => receivedOf(items, me), [items, me])
  const mayRead = standing === 'open'
  const unseen = useReading({ me, reading, received, unread, history, isKnown: true, mayRead })
  const { above, field, afterSending } = useSuggestion(nft ? undefined : { toaddr: peer }, thread)
  const { asked, ask } = useAsking(draftKey(me, thread))
  const isSealed = channel.kind === 'sealed'
  const files = useFiles({ thread, to: alone ? 'yourself' : title, isSealed, refusal: refusalOf(left) })
  const send = (written: string, as?: SendAs, reply_to?: number) => {
    const encrypt = keyFor(as)
    const { text, taken } = files.take(written)
    enqueue({
      endpoint: 'sendDirectMessage',
      body: { ...pair, message: text, ...nft, ...(reply_to && { reply_to }) },
      histories,
      thread,
      text,
      ...taken,
      ...(encrypt && { encrypt, ...quotedOf(stored, reply_to) }),
    })
    afterSending()
  }
  return (
    <Thread
      thread={thread}
      header={
        <ConversationTop
          {...{ peer, title, nft, standing, messages: stored }}
          isCompared={!alone && keys?.isCompared}
        />
      }
      history={shown.history}
      part={shown.part}
      stored={stored}
      pins={nft ? undefined : { toaddr: peer }}
      mayPin={standing === 'open'}
      onDay={nft ? undefined : askForDay}
      label={`Messages with ${title}`}
      loading="Loading messages"
      empty={<Nothing alone={alone} title={title} nft={nft} />}
      beginning={<RetentionNote>{!nft && <Emptied me={me} peer={peer} title={title} />}</RetentionNote>}
      lines={lines}
      menu={MessageMenu}
      unseen={unseen}
      typing={typing.length > 0 && !alone ? [title] : []}
      instead={
        standing === 'open' ? undefined : <Undecided me={me} peer={peer} title={title} standing={standing} />
      }
      above={above ?? (isFirst && items.length > 0 && !alone && <AnswerOffer me={me} />)}
      field={(field ?? 0) + asked}
      placeholder={alone ? 'Message yourself' : `Message ${title}`}
      isOff={left === 0}
      channel={channel.kind}
      size={isSealed ? sealedSize : undefined}
      held={
        channel.kind === 'held' && (
          <HeldMessage why={channel.why} address={peer} title={title} peer={peerKey} />
        )
      }
      files={files.given}
      onSend={send}
      sealing={sealing}
      onTyping={() => announceTyping({ fromaddr: me, toaddr: peer })}
      note={alone ? undefined : <Below {...{ channel, peer, title, isFirst, left }} onAsk={ask} />}
    />
  )
}

/** A wallet that takes a number of messages before it replies takes no files. */
const refusalOf = (left: number | undefined) =>
  left === undefined ? undefined : 'You can send files when they reply.'

/** Reads a history: its end, which says what is unread and encrypted, and the part that is shown. */
function useRead(one: ReturnType<typeof conversationHistories>[number], unread: number) {
  const end = useHistory(one, { unread })
  const shown = useShown(one, end)
  const items = { ofEnd: useRemaining(end.items), ofShown: useRemaining(shown.items) }
  return { history: end.history, items: items.ofEnd, shown: { ...shown, items: items.ofShown } }
}

const receivedOf = (items: ChatItem[], me: string) =>
  items.filter(({ fromaddr }) => fromaddr !== me).map(({ id, read }) => ({ id, isUnread: !read }))

/** Starts a message that proposes encryption; the field shows it once another field takes its place. */
function useAsking(key: string) {
  const [asked, setAsked] = useState(0)
  const ask = () => {
    beginDraft(key, 'Can you turn on encryption? Settings → Encryption.')
    setAsked(asked + 1)
  }
  return { asked, ask }
}

interface BelowProps extends ComponentProps<typeof EncryptionNote> {
  /** This is true while the other one has not written. */
  isFirst: boolean
  /** The other one still takes this number of messages; undefined means no limit. */
  left: number | undefined
}

const Below = ({ isFirst, left, ...note }: BelowProps) => (
  <>
    {/* The note comes first when nothing can be written. */}
    {isFirst && left === 0 && <PolicyNote peer={note.peer} title={note.title} left={left} />}
    <EncryptionNote {...note} />
    {isFirst && left !== 0 && <PolicyNote peer={note.peer} title={note.title} left={left} />}
  </>
)

const Nothing = ({ alone, title, nft }: { alone: boolean; title: string; nft: Nft | undefined }) => (
  <EmptyState
    icon={<MessageCircle className="size-7" />}
    title={alone ? 'Only you can see this' : `Say hello to ${title}`}
  >
    {emptyHint(alone, nft)}
  </EmptyState>
)

function emptyHint(alone: boolean, nft: Nft | undefined): string {
  if (nft) return 'No messages about this NFT yet.'
  return alone
    ? 'Write down what you want to find on all your devices.'
    : 'If they’re new here, your message will be waiting when they sign in.'
}

/** Says who deleted the messages of a conversation for both, and when; it is empty when nobody did. */
function Emptied({ me, peer, title }: { me: string; peer: string; title: string }) {
  const { data } = useQuery(query('getConversation', { toaddr: peer }))
  if (!data?.emptied_by || !data.emptied_at || peer === me) return null
  const mine = data.emptied_by === me
  return (
    <p className="mx-auto max-w-sm px-4 pt-4 text-center text-xs text-pretty text-muted">
      {mine ? 'You' : title} deleted this conversation for both of you,{' '}
      <time dateTime={data.emptied_at}>{shortTime(data.emptied_at)}</time>.
    </p>
  )
}

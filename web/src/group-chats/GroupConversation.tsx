import { type GroupChatItem, mentions } from '@parley/sdk'
import { importedFrom } from '@parley/sdk/imported.ts'
import { MessagesSquare } from 'lucide-react'
import { type ComponentProps, lazy, type ReactNode, Suspense, useMemo } from 'react'
import type { SendAs } from '../messages/message.ts'
import { useRole } from '../chat-moderation/roles.ts'
import { useAnnounceable } from '../chat-moderation/announcing.ts'
import { useRestricting } from '../chat-moderation/restricting.ts'
import { useBlocked } from '../names/blocked.ts'
import type { Reading } from '../inbox/reading.ts'
import { useRow } from '../inbox/rows.ts'
import { useReading } from '../inbox/use-reading.ts'
import { useFiles } from '../files/use-files.tsx'
import { useAliases } from '../names/aliases.ts'
import { ClosedChat, isRefusal } from '../gates/ClosedChat.tsx'
import { PostNote } from '../gates/PostNote.tsx'
import { useMayPost } from '../gates/standing.ts'
import { useName } from '../names/profile.ts'
import { PublicNotice } from '../public-reading/PublicNotice.tsx'
import { SenderPicture } from '../names/SenderPicture.tsx'
import { askForDay } from '../search/bar.ts'
import { ThreadSearch } from '../search/ThreadSearch.tsx'
import { useSuggestion } from '../suggested/Suggestion.tsx'
import { useMe } from '../service/session.ts'
import { groupHistory } from '../thread/history.ts'
import { useHistory } from '../thread/use-history.ts'
import { useShown } from '../thread/use-shown.ts'
import { enqueue } from '../thread/outbox.ts'
import { removedText } from '../thread/posts.ts'
import { RetentionNote } from '../thread/RetentionNote.tsx'
import type { StoredMessage } from '../thread/merged.ts'
import { Thread } from '../thread/Thread.tsx'
import { announceTyping, useTyping } from '../thread/typing.ts'
import { shortAddress } from '../seal/address.ts'
import { Card } from '../ui/Card.tsx'
import { plainFiles } from '../files/of-messages.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ShownChat } from './chat-team.ts'
import { useCommands } from './commands.ts'
import { useFolded } from './blocked-posts.tsx'
import { GroupMessageMenu } from './GroupMessageMenu.tsx'
import { Invitation } from './Invitation.tsx'
import { useJoined } from './joined.ts'
import { SenderMark } from './SenderMark.tsx'
import { useMentions } from './mention-completions.ts'

const RestrictDialog = lazy(async () => ({
  default: (await import('../chat-moderation/RestrictDialog.tsx')).RestrictDialog,
}))

const AnnounceDialog = lazy(async () => ({
  default: (await import('../chat-moderation/AnnounceDialog.tsx')).AnnounceDialog,
}))

interface Props {
  nftaddr: string
  context_type: 'nft' | 'community'
  title: string
  path: string
  header: ReactNode
  /** It stands in place of the field where nobody posts, or this wallet does not. */
  instead?: ReactNode
}

/** Shows the messages of an NFT chat or a community. */
export function GroupConversation({ nftaddr, context_type, title, path, header, instead }: Props) {
  const me = useMe()
  const chat = groupHistory(nftaddr, me)
  const reading = useMemo<Reading>(() => ({ context_type, addr: nftaddr }), [context_type, nftaddr])
  const { row, isKnown } = useRow(reading)
  const unread = row?.unread ?? 0
  const end = useHistory(chat, { unread })
  const { history, items } = end
  const part = useShown(chat, end)
  const thread = `chat ${nftaddr.toLowerCase()}`
  const blocked = useBlocked()
  const typing = useTyping(nftaddr).filter((wallet) => wallet !== me && !blocked.has(wallet))
  const aliases = useAliases()
  const names = useMemo(
    () =>
      new Map([
        ...part.items.map(({ fromaddr, sender_name }) => [fromaddr, sender_name] as const),
        ...aliases,
      ]),
    [part.items, aliases],
  )
  const { ownName } = useName(me)
  const stored = useMemo(
    () => part.items.map((item) => toMessage(item, { address: me, name: ownName }, names)),
    [part.items, me, ownName, names],
  )
  const commands = useCommands(nftaddr)
  const authors = useMemo(
    () => items.map(({ fromaddr, sender_name: name }) => ({ walletaddr: fromaddr, name })).toReversed(),
    [items],
  )
  const mentionable = useMentions(nftaddr, authors)
  const completions = useMemo(() => [commands, mentionable], [commands, mentionable])
  const { shown, lines } = useFolded(stored)
  const received = useMemo(() => {
    const ofOthers = items.filter(({ fromaddr }) => fromaddr !== me)
    return ofOthers.map(({ id }, i) => ({ id, isUnread: i >= ofOthers.length - unread }))
  }, [items, me, unread])
  const unseen = useReading({ me, reading, received, unread, history, isKnown })

  const { above, field, afterSending } = useSuggestion({ nftaddr }, thread)
  const { joined, joinByPosting } = useJoined(nftaddr)
  const role = useRole(nftaddr)
  const mayPost = useMayPost(nftaddr)
  const files = useFiles({ thread, to: title, isSealed: false })
  const send = (written: string, _as?: SendAs, reply_to?: number) => {
    joinByPosting()
    const { text, taken } = files.take(written)
    enqueue({
      endpoint: 'postGroupMessage',
      body: { fromaddr: me, nftaddr, message: text, ...(reply_to && { reply_to }) },
      histories: [chat],
      thread,
      text,
      ...taken,
    })
    afterSending()
  }
  if (isRefusal(end.history.error)) return <ClosedChat {...{ nftaddr, title }} error={end.history.error} />
  return (
    <ShownChat value={nftaddr}>
      <Thread
        thread={thread}
        header={
          <>
            {header}
            {context_type === 'community' && <PublicNotice nftaddr={nftaddr} />}
            <ThreadSearch place={{ chat: nftaddr, path, isJoined: joined === true }} />
          </>
        }
        history={part.history}
        part={part.part}
        stored={shown}
        quotable={stored}
        pins={{ nftaddr }}
        mayPin={role !== undefined}
        onDay={askForDay}
        lines={lines}
        label={`Messages in ${title}`}
        loading="Loading messages"
        empty={<Silent path={path} seed={nftaddr} title={title} />}
        beginning={<RetentionNote />}
        menu={GroupMessageMenu}
        picture={SenderPicture}
        mark={SenderMark}
        unseen={unseen}
        typing={typing.map((wallet) => names.get(wallet) || shortAddress(wallet))}
        instead={instead ?? (mayPost ? undefined : <PostNote nftaddr={nftaddr} />)}
        above={above}
        field={field}
        placeholder={`Message ${title}`}
        files={files.given}
        onSend={send}
        completions={completions}
        onTyping={() => announceTyping({ fromaddr: me, nftaddr })}
      />
      <Restricting />
    </ShownChat>
  )
}

/** Invites others into a chat without posts. */
const Silent = (chat: ComponentProps<typeof Invitation>) => (
  <div className="m-auto grid w-full max-w-lg grid-cols-1 gap-2 p-4">
    <EmptyState icon={<MessagesSquare className="size-7" />} title="Nobody has said anything yet">
      Say the first word.
    </EmptyState>
    <Card title="Invite people">
      <Invitation {...chat} variant="primary" />
    </Card>
  </div>
)

function Restricting() {
  const what = useRestricting()
  const announced = useAnnounceable()
  return (
    <Suspense>
      {what && <RestrictDialog what={what} />}
      {announced && <AnnounceDialog what={announced} />}
    </Suspense>
  )
}

/** `names` has the newest name of each sender. */
function toMessage(
  item: GroupChatItem,
  me: { address: string; name: string },
  names: Map<string, string>,
): StoredMessage {
  const {
    id,
    fromaddr,
    message,
    timestamp,
    removed,
    removed_by,
    held,
    reactions,
    reply_to,
    revision,
    pinned,
    imported,
    announced,
  } = item
  const author = names.get(fromaddr) || shortAddress(fromaddr)
  const remark = held && !removed ? 'Waiting for a moderator to approve it.' : undefined
  const text = removed ? removedText(removed_by) : message
  const mine = fromaddr === me.address
  const mention = mine || removed || !mentions(message, me) ? undefined : mentionIn(message, me)
  const files = removed ? {} : plainFiles(item.files)
  // The name of a person without a wallet says it already.
  const isMarked = imported && importedFrom(fromaddr) === undefined
  const marks = { revision, pinned, announced, imported: isMarked || undefined }
  const shown = { held, reactions, replyTo: reply_to, ...marks, ...files }
  return { id, mine, fromaddr, author, text, timestamp, state: 'sent', removed, remark, mention, ...shown }
}

/**
 * Returns how a text mentions a wallet: the name or the address after an @ as it is written; empty when it is written
 * otherwise.
 */
function mentionIn(text: string, { address, name }: { address: string; name: string }): string {
  const lower = text.toLowerCase()
  for (const wanted of [name, address]) {
    const at = wanted ? lower.indexOf(`@${wanted.toLowerCase()}`) : -1
    if (at >= 0) return text.slice(at, at + wanted.length + 1)
  }
  return ''
}

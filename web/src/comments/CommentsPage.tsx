import type { Comment } from '@parley/sdk'
import { MessageSquareQuote } from 'lucide-react'
import { useMemo } from 'react'
import { useParams } from 'react-router'
import { GroupMessageMenu } from '../group-chats/GroupMessageMenu.tsx'
import { type Aliases, useAliases } from '../names/aliases.ts'
import { SenderMark } from '../group-chats/SenderMark.tsx'
import { SenderPicture } from '../names/SenderPicture.tsx'
import { refusesFiles } from '../messages/given-files.ts'
import { useMe } from '../service/session.ts'
import { useHistory } from '../thread/use-history.ts'
import { enqueue } from '../thread/outbox.ts'
import type { StoredMessage } from '../thread/merged.ts'
import { Thread } from '../thread/Thread.tsx'
import { shortAddress } from '../seal/address.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { CommentsHeader } from './CommentsHeader.tsx'

export function CommentsPage() {
  const me = useMe()
  const { nftaddr: contract = '', nftid = '' } = useParams()
  const nftaddr = contract.toLowerCase()
  const input = { nftaddr, nftid }
  const comments = { name: 'listComments', input } as const
  const { history, items } = useHistory(comments, { every: 20_000 })
  const thread = `comments ${nftaddr} ${nftid}`
  const aliases = useAliases()
  const stored = useMemo(() => items.map((item) => toMessage(item, me, aliases)), [items, me, aliases])
  const send = (text: string) =>
    enqueue({
      endpoint: 'createComment',
      body: { fromaddr: me, ...input, message: text },
      histories: [comments],
      thread,
      text,
    })
  return (
    <Thread
      thread={thread}
      header={<CommentsHeader {...input} own={items.some(({ fromaddr }) => fromaddr === me)} />}
      history={history}
      stored={stored}
      label={`Comments on ${shortAddress(nftaddr)} #${nftid}`}
      loading="Loading comments"
      empty={
        <EmptyState icon={<MessageSquareQuote className="size-7" />} title="No comments yet">
          Comments are public: everyone who opens this NFT sees them.
        </EmptyState>
      }
      menu={GroupMessageMenu}
      picture={SenderPicture}
      mark={SenderMark}
      hasChanges={false}
      files={noFiles}
      placeholder="Add a public comment"
      onSend={send}
    />
  )
}

const noFiles = refusesFiles('Files can’t be sent in comments.')

function toMessage(
  { id, fromaddr, name, message, timestamp }: Comment,
  me: string,
  aliases: Aliases,
): StoredMessage {
  const author = aliases.get(fromaddr) || name || shortAddress(fromaddr)
  return { id, mine: fromaddr === me, fromaddr, author, text: message, timestamp, state: 'sent' }
}

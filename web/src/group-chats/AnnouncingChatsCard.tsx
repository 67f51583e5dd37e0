import type { AnnouncingChat } from '@parley/sdk/contract/announcements.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { chatPath } from '../chat-moderation/paths.ts'
import { query } from '../service/api.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { setAnnouncements } from './agreeing.ts'

/** Lists the chats to whose announcements the reader has agreed; each can be stopped here. */
export function AnnouncingChatsCard() {
  const { data, error, refetch } = useQuery({
    ...query('listAnnouncingChats'),
    refetchOnWindowFocus: 'always',
  })
  return (
    <Card title="Announcements">
      <p className="text-sm text-pretty text-muted">
        {data?.length === 0
          ? 'You get announcements of no chat. Choose “Get announcements” in the menu of a chat that you have joined.'
          : 'When one of these chats announces something, you are notified once, by push, Telegram and mail, as you have set them up.'}
      </p>
      {error && !data && (
        <ReadProblem error={error} what="Your announcements" onRetry={() => void refetch()} />
      )}
      <ul className="grid gap-1 empty:hidden" aria-label="Chats whose announcements you get">
        {data?.map((chat) => (
          <Row key={chat.nftaddr} chat={chat} />
        ))}
      </ul>
    </Card>
  )
}

function Row({ chat: { nftaddr, title, context_type } }: { chat: AnnouncingChat }) {
  const stop = useMutation({ mutationFn: () => setAnnouncements(nftaddr, false) })
  const name = context_type === 'nft' ? shortAddress(nftaddr) : title
  return (
    <li className="flex min-h-14 items-center gap-3">
      <Link
        to={chatPath(nftaddr)}
        className="-ms-2 flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-xl px-2 hover:bg-hover"
      >
        <Avatar seed={nftaddr} square />
        <span className="truncate font-medium" dir="auto">
          {name}
        </span>
      </Link>
      <Button
        busy={stop.isPending}
        aria-label={`Stop announcements of ${name}`}
        onClick={() => stop.mutate()}
      >
        Stop
      </Button>
    </li>
  )
}

import type { Room } from '@parley/sdk/contract/rooms.ts'
import { Archive, Newspaper, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useModerators, useRole } from '../chat-moderation/roles.ts'
import { useRooms } from '../chat-moderation/rooms.ts'
import { AboutChat } from '../group-chats/AboutChat.tsx'
import { ChatHeader } from '../group-chats/ChatHeader.tsx'
import { GroupConversation } from '../group-chats/GroupConversation.tsx'
import { ClosedChat, isRefusal } from '../gates/ClosedChat.tsx'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { communityPath } from '@parley/sdk/chat-path.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { RoomBar } from './RoomBar.tsx'

/** Shows a room of a community, or what there is to know about it. */
export function RoomPage({ nftaddr, about }: { nftaddr: string; about: boolean }) {
  const [community = ''] = nftaddr.split('/')
  const rooms = useRooms(community)
  const moderators = useModerators(nftaddr)
  const room = rooms.data?.find((one) => one.nftaddr.toLowerCase() === nftaddr.toLowerCase())
  // The community refuses its rooms too, and a room may have a rule of its own.
  const refused = [rooms.error, moderators.error].find(isRefusal)
  if (refused) return <ClosedChat nftaddr={nftaddr} title={room?.title ?? nftaddr} error={refused} />
  if (room && about) return <AboutRoom room={room} community={community} />
  if (room) return <Conversation room={room} community={community} />
  if (rooms.data || statusOf(rooms.error) === 404) return <NotThere nftaddr={nftaddr} community={community} />
  return (
    <Page title={nftaddr}>
      {rooms.error ? (
        <ReadProblem error={rooms.error} what="The room" onRetry={() => void rooms.refetch()} />
      ) : (
        <Spinner label="Loading the room" />
      )}
    </Page>
  )
}

const statusOf = (error: Error | null) => (error as { status?: number } | null)?.status

interface Props {
  room: Room
  community: string
}

function Conversation({ room, community }: Props) {
  const { nftaddr, title } = room
  const path = communityPath(nftaddr)
  const role = useRole(nftaddr)
  return (
    <GroupConversation
      key={nftaddr}
      context_type="community"
      nftaddr={nftaddr}
      title={title}
      path={path}
      instead={whyClosed(room, role !== undefined)}
      header={
        <>
          <ChatHeader
            nftaddr={nftaddr}
            title={title}
            subtitle={`in ${community}`}
            path={path}
            about={`${path}/about`}
          />
          <RoomBar community={community} />
        </>
      }
    />
  )
}

/** Says why one reads in a room and does not post; undefined where one posts. */
function whyClosed({ kind, archived_at }: Room, isModerator: boolean): ReactNode {
  if (archived_at)
    return <Note icon={<Archive />}>This room is archived. You can read it, and nobody posts here.</Note>
  if (kind === 'news' && !isModerator)
    return (
      <Note icon={<Newspaper />}>
        Only the owner and the moderators post news here. You can read and react.
      </Note>
    )
  return undefined
}

const Note = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <p className="flex items-center gap-3 border-t border-line px-4 py-3 text-sm text-pretty text-muted [&>svg]:size-4 [&>svg]:shrink-0">
    {icon}
    <span>{children}</span>
  </p>
)

function AboutRoom({ room: { nftaddr, title, about }, community }: Props) {
  return (
    <AboutChat {...{ nftaddr, title }} kind="room" path={communityPath(nftaddr)}>
      <p className="text-muted">
        in{' '}
        <Link to={communityPath(community)} className="underline underline-offset-2">
          {community}
        </Link>
      </p>
      {about && (
        <p dir="auto" className="max-w-prose text-pretty wrap-anywhere whitespace-pre-line">
          {about}
        </p>
      )}
    </AboutChat>
  )
}

const NotThere = ({ nftaddr, community }: { nftaddr: string; community: string }) => (
  <Page title={nftaddr}>
    <EmptyState
      icon={<SearchX className="size-7" />}
      title="No such room"
      action={
        <Link className="font-medium text-accent underline" to={communityPath(community)}>
          Open {community}
        </Link>
      }
    >
      {community} has no room of this name.
    </EmptyState>
  </Page>
)

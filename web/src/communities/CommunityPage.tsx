import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { query } from '../service/api.ts'
import { ClosedChat, isRefusal } from '../gates/ClosedChat.tsx'
import { describeError } from '../service/describe-error.ts'
import { ChatHeader } from '../group-chats/ChatHeader.tsx'
import { GroupConversation } from '../group-chats/GroupConversation.tsx'
import { useMe } from '../service/session.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { communityPath } from '@parley/sdk/chat-path.ts'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { CommunityLanding } from './CommunityLanding.tsx'
import { RoomBar } from './RoomBar.tsx'
import { membersOf } from './words.ts'

const RoomPage = lazy(async () => ({ default: (await import('./RoomPage.tsx')).RoomPage }))

/** Shows a community, or one of its rooms. */
export function CommunityPage({ about = false }: { about?: boolean }) {
  const { community = '', room } = useParams()
  const nftaddr = room === undefined ? community : `${community}/${room}`
  if (!nftaddr.includes('/')) return <Community community={nftaddr} about={about} />
  return (
    <Suspense fallback={<Loading label="Loading the room" />}>
      <RoomPage nftaddr={nftaddr} about={about} />
    </Suspense>
  )
}

const Loading = ({ label }: { label: string }) => (
  <div className="grid h-full place-items-center">
    <Spinner label={label} />
  </div>
)

/**
 * Shows the landing page of a community to wallets that have not joined, and its conversation to those that have, or
 * that want to read it first.
 */
function Community({ community, about }: { community: string; about: boolean }) {
  const me = useMe()
  const { state } = useLocation()
  // The service does not notify anybody when a wallet joins: the number of members is read again now and then.
  const { data, error } = useQuery({
    ...query('getCommunity', { community, address: me, query: { enter: false } }),
    staleTime: 0,
    refetchInterval: 60_000,
  })
  const info = data?.[0]
  if (error && !info) return <NotThere community={community} error={error} />
  if (!info) return <Loading label="Loading the community" />
  if (about || !(info.joined || state?.open)) return <CommunityLanding info={info} />
  const path = communityPath(info.name)
  return (
    <GroupConversation
      key={info.name}
      context_type="community"
      nftaddr={info.name}
      title={info.name}
      path={path}
      header={
        <>
          <ChatHeader
            nftaddr={info.name}
            title={info.name}
            subtitle={`Community · ${membersOf(info.members)}`}
            picture={info.logo}
            path={path}
            about={`${path}/about`}
          />
          <RoomBar community={info.name} />
        </>
      }
    />
  )
}

/** Says why there is nothing to see: the community does not exist, or the wallet may not read it. */
function NotThere({ community, error }: { community: string; error: Error }) {
  if (isRefusal(error)) return <ClosedChat nftaddr={community} title={community} error={error} />
  const isFree = (error as { status?: number }).status === 404
  return (
    <Page title={community}>
      <EmptyState
        icon={<SearchX className="size-7" />}
        title={isFree ? 'No such community' : 'Not available'}
        action={
          isFree && (
            <Link
              className="font-medium text-accent underline"
              to={`/communities/new?name=${encodeURIComponent(community)}`}
            >
              Create it
            </Link>
          )
        }
      >
        {isFree ? `Nobody has created “${community}” yet.` : describeError(error)}
      </EmptyState>
    </Page>
  )
}

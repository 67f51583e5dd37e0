import { useQuery } from '@tanstack/react-query'
import { Info, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { describeError, query } from '../service/api.ts'
import { ChatHeader } from '../group-chats/ChatHeader.tsx'
import { GroupConversation } from '../group-chats/GroupConversation.tsx'
import { useMe } from '../service/session.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { MenuItem } from '../ui/Menu.tsx'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { CommunityLanding } from './CommunityLanding.tsx'

const peopleOf = (members: number) => `${members} ${members === 1 ? 'member' : 'members'}`

/**
 * A community: its landing page for wallets that have not joined, its conversation for those that
 * have.
 */
export function CommunityPage() {
  const me = useMe()
  const { community = '' } = useParams()
  // Nobody is told who joins: the number of members is read again now and then.
  const { data, error } = useQuery({
    ...query('getCommunity', { community, address: me, query: { enter: false } }),
    staleTime: 0,
    refetchInterval: 60_000,
  })
  const [landing, setLanding] = useState<boolean>()
  const info = data?.[0]
  if (error && !info)
    return (
      <Page title={community}>
        <EmptyState
          icon={<SearchX className="size-7" />}
          title={(error as { status?: number }).status === 404 ? 'No such community' : 'Not available'}
          action={
            <Link
              className="font-medium text-accent underline"
              to={`/communities/new?name=${encodeURIComponent(community)}`}
            >
              Create it
            </Link>
          }
        >
          {(error as { status?: number }).status === 404
            ? `Nobody has created “${community}” yet.`
            : describeError(error)}
        </EmptyState>
      </Page>
    )
  if (!info)
    return (
      <div className="grid h-full place-items-center">
        <Spinner label="Loading the community" />
      </div>
    )
  if (landing ?? !info.joined) return <CommunityLanding info={info} onOpen={() => setLanding(false)} />
  return (
    <GroupConversation
      key={info.name}
      context_type="community"
      nftaddr={info.name}
      title={info.name}
      header={
        <ChatHeader
          nftaddr={info.name}
          title={info.name}
          subtitle={`Community · ${peopleOf(info.members)}`}
          picture={info.logo}
        >
          <MenuItem icon={<Info />} onSelect={() => setLanding(true)}>
            About this community
          </MenuItem>
        </ChatHeader>
      }
    />
  )
}

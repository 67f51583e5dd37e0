import type { CommunityEntry } from '@parley/sdk'
import { Link } from 'react-router'
import { Avatar } from '../seal/Avatar.tsx'
import { relativeTime } from '../state/time.ts'

export function CommunityLink({ entry: { community, logo, members, timestamp } }: { entry: CommunityEntry }) {
  const size = `${members} ${members === 1 ? 'member' : 'members'}`
  return (
    <Link
      to={`/c/${encodeURIComponent(community)}`}
      className="flex min-h-14 min-w-0 flex-1 items-center gap-3 rounded-xl px-2 py-1.5 -outline-offset-2 hover:bg-hover"
    >
      <Avatar seed={community} picture={logo} square />
      <span className="grid min-w-0">
        <span className="truncate font-medium" dir="auto">
          {community}
        </span>
        <span className="truncate text-sm text-muted">
          {size}
          {timestamp && ` · active ${relativeTime(timestamp)}`}
        </span>
      </span>
    </Link>
  )
}

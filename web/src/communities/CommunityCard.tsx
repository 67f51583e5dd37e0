import type { CommunityEntry } from '@parley/sdk'
import { Check, Lock, LogIn, Star, Users } from 'lucide-react'
import { Link } from 'react-router'
import { useMembership } from '../group-chats/joined.ts'
import { OfficialSign } from '../seal/OfficialSign.tsx'
import { Avatar } from '../seal/Avatar.tsx'
import { relativeTime } from '../state/time.ts'
import { Button } from '../ui/Button.tsx'
import { membersOf } from './words.ts'

interface Props {
  entry: CommunityEntry
  onTag?: (tag: string) => void
}

/** Shows a community in the directory: all that one needs to decide whether to open or join it. */
export function CommunityCard({ entry, onTag }: Props) {
  const { community, logo, about, tags = [], official, featured } = entry
  return (
    <article className="flex h-full min-w-0 flex-col gap-3 rounded-2xl border border-line bg-surface p-4">
      <div className="flex min-w-0 items-start gap-3">
        <Avatar seed={community} picture={logo} square />
        <div className="grid min-w-0 flex-1 gap-0.5">
          <h2 className="flex min-w-0 flex-wrap items-center gap-x-2">
            <Link
              to={`/c/${encodeURIComponent(community)}`}
              dir="auto"
              className="inline-flex items-center font-semibold hover:underline pointer-coarse:min-h-11"
            >
              <span className="line-clamp-2 wrap-anywhere">{community}</span>
            </Link>
            {official && <OfficialSign label={official} host={location.host} />}
          </h2>
          <Facts entry={entry} />
        </div>
      </div>
      {about && (
        <p dir="auto" className="line-clamp-3 text-sm text-pretty wrap-anywhere whitespace-pre-line">
          {about}
        </p>
      )}
      {tags.length > 0 && (
        <ul className="flex flex-wrap gap-1.5" aria-label={`Tags of ${community}`}>
          {tags.map((tag) => (
            <li key={tag}>
              {onTag ? <TagButton tag={tag} onClick={() => onTag(tag)} /> : <Tag tag={tag} />}
            </li>
          ))}
        </ul>
      )}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-2">
        <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-muted">
          {featured && (
            <span className="inline-flex items-center gap-1 font-medium text-ink">
              <Star className="size-3.5" aria-hidden="true" /> Recommended
            </span>
          )}
          <Entry entry={entry} />
        </p>
        {onTag && <Membership entry={entry} />}
      </div>
    </article>
  )
}

/** Says what it takes to get in. */
function Entry({ entry: { to_read, to_post, is_public } }: { entry: CommunityEntry }) {
  if (to_read)
    return (
      <span className="inline-flex min-w-0 items-center gap-1">
        <Lock className="size-3.5 shrink-0" aria-hidden="true" />
        <span className="line-clamp-2 wrap-anywhere">You need {to_read}</span>
      </span>
    )
  return (
    <span className="line-clamp-2 wrap-anywhere">
      {is_public ? 'Anyone can read it' : 'Open to everybody'}
      {to_post && ` · to post you need ${to_post}`}
    </span>
  )
}

function Facts({ entry: { members, active, timestamp } }: { entry: CommunityEntry }) {
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-muted">
      <Users className="size-3.5" aria-hidden="true" />
      {membersOf(members)}
      {active !== undefined && <span>· {active}+ active this week</span>}
      {active === undefined && timestamp && <span>· last message {relativeTime(timestamp)}</span>}
    </p>
  )
}

const tagStyle = 'inline-flex items-center rounded-full border border-transparent bg-sunken px-2.5 text-sm'

const Tag = ({ tag }: { tag: string }) => <span className={`${tagStyle} min-h-7`}>{tag}</span>

export const TagButton = ({ tag, onClick }: { tag: string; onClick: () => void }) => (
  <button
    type="button"
    onClick={onClick}
    className={`${tagStyle} min-h-8 hover:bg-hover pointer-coarse:min-h-11`}
  >
    <span className="sr-only">Show communities with the tag </span>
    {tag}
  </button>
)

function Membership({ entry: { community, joined } }: { entry: CommunityEntry }) {
  const { busy, change } = useMembership(community)
  if (joined)
    return (
      <span className="flex min-h-11 shrink-0 items-center gap-1.5 text-sm text-muted">
        <Check className="size-4" aria-hidden="true" /> Joined
      </span>
    )
  return (
    <Button className="shrink-0" busy={busy} aria-label={`Join ${community}`} onClick={() => change(true)}>
      <LogIn className="size-4" aria-hidden="true" /> Join
    </Button>
  )
}

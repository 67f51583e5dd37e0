import { Hourglass } from 'lucide-react'
import { Link } from 'react-router'
import { useHeld } from './held.ts'
import { moderationPath } from './paths.ts'
import { useRole } from './roles.ts'

/** Links moderators of a chat to the posts that wait for them, when there are some. */
export function HeldLink({ nftaddr }: { nftaddr: string }) {
  const isModerator = useRole(nftaddr) !== undefined
  const { data } = useHeld(nftaddr, isModerator)
  const count = data?.length ?? 0
  if (!isModerator || count === 0) return null
  const label = count === 1 ? '1 post is waiting for approval' : `${count} posts are waiting for approval`
  return (
    <Link
      to={moderationPath(nftaddr)}
      aria-label={label}
      title={label}
      className="inline-flex min-h-9 shrink-0 items-center gap-1.5 rounded-full bg-warn-soft px-3 text-sm font-semibold text-warn pointer-coarse:min-h-11"
    >
      <Hourglass className="size-4" aria-hidden="true" /> {count}
    </Link>
  )
}

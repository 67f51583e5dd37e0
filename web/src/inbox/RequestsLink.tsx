import { UserRoundSearch } from 'lucide-react'
import { NavLink } from 'react-router'
import { Badge } from '../ui/Badge.tsx'
import { classes } from '../ui/classes.ts'
import { useUnreadRequests } from './requests.ts'

/** The way to the requests, where there are new ones. They are counted apart, and quietly. */
export function RequestsLink({ isReady }: { isReady: boolean }) {
  const count = useUnreadRequests(isReady)
  if (count === 0) return null
  return (
    <NavLink
      to="/requests"
      className={({ isActive }) =>
        classes(
          'mx-2 mb-1 flex min-h-11 shrink-0 items-center gap-3 rounded-xl px-2 -outline-offset-2',
          isActive ? 'border-current bg-selected forced-colors:border-2' : 'hover:bg-hover',
        )
      }
    >
      <span className="grid w-12 shrink-0 place-items-center text-muted" aria-hidden="true">
        <UserRoundSearch className="size-5" />
      </span>
      <span className="flex-1 font-medium">Requests</span>
      <Badge count={count} quiet />
    </NavLink>
  )
}

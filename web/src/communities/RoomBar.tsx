import { MessagesSquare, Settings2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { moderationPath } from '../chat-moderation/paths.ts'
import { useRole } from '../chat-moderation/roles.ts'
import { useRooms } from '../chat-moderation/rooms.ts'
import { useInbox } from '../inbox/rows.ts'
import { isMuted } from '../state/muted.ts'
import { communityPath } from '@parley/sdk/chat-path.ts'
import { isPageOf } from '../inbox/page-of.ts'
import { Badge } from '../ui/Badge.tsx'
import { classes } from '../ui/classes.ts'
import { useDueRooms } from './due-rooms.ts'
import { iconOf } from './room-icon.tsx'

/** Lists the rooms of a community below the head of its chats: its own chat first, those that are archived last. */
export function RoomBar({ community }: { community: string }) {
  const { data: rooms = [] } = useRooms(community)
  const role = useRole(community)
  const list = useRef<HTMLUListElement>(null)
  const { pathname } = useLocation()
  useDueRooms(community, rooms)
  const isShown = rooms.length > 0
  useEffect(() => {
    const here = list.current?.querySelector('[aria-current]')
    if (!list.current || !here) return
    // The row alone moves, so that the open room is in its middle.
    const [row, room] = [list.current.getBoundingClientRect(), here.getBoundingClientRect()]
    list.current.scrollBy({ left: room.left + room.width / 2 - row.left - row.width / 2 })
  }, [isShown, pathname])
  if (!isShown) return null
  const inOrder = rooms.toSorted((a, b) => Number(!!a.archived_at) - Number(!!b.archived_at))
  return (
    <nav
      aria-label={`Rooms of ${community}`}
      className="flex shrink-0 items-center border-b border-line bg-surface"
    >
      <ul
        ref={list}
        className="flex min-w-0 flex-1 gap-1 overflow-x-auto px-3 py-1.5 [scrollbar-width:thin] sm:px-4"
        onKeyDown={toNext}
      >
        <Place nftaddr={community} title={community} icon={<MessagesSquare />} />
        {inOrder.map((room) => (
          <Place key={room.nftaddr} nftaddr={room.nftaddr} title={room.title} icon={iconOf(room)}>
            {room.archived_at ? 'archived' : room.kind === 'news' && 'news'}
          </Place>
        ))}
      </ul>
      {role && (
        <Link
          to={moderationPath(community)}
          aria-label="Manage rooms"
          title="Manage rooms"
          className="me-2 grid size-10 shrink-0 place-items-center rounded-full text-muted hover:bg-hover pointer-coarse:size-11"
        >
          <Settings2 className="size-4.5" aria-hidden="true" />
        </Link>
      )}
    </nav>
  )
}

interface Props {
  nftaddr: string
  title: string
  icon: ReactNode
  /** It says what the icon shows. */
  children?: ReactNode
}

function Place({ nftaddr, title, icon, children }: Props) {
  const { data } = useInbox()
  const row = data?.find((one) => one.context_type !== 'dm' && isSame(one.nftaddr, nftaddr))
  const path = communityPath(nftaddr)
  const isHere = isPageOf(path, useLocation().pathname)
  return (
    <li className="relative shrink-0">
      <Link
        to={path}
        state={{ open: true }}
        aria-current={isHere ? 'page' : undefined}
        className={classes(
          'flex min-h-9 max-w-56 items-center gap-1.5 rounded-full px-3 text-sm font-medium -outline-offset-2 pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0',
          isHere ? 'bg-selected text-accent-strong forced-colors:border-2' : 'text-muted hover:bg-hover',
        )}
      >
        {icon}
        <span className="truncate" dir="auto">
          {title}
        </span>
        {children && <span className="sr-only">({children})</span>}
        <Badge count={isHere ? 0 : (row?.unread ?? 0)} quiet={isMuted(row?.muted_until)} />
      </Link>
    </li>
  )
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

/** The arrow keys move from room to room; Home and End go to the first and the last. */
function toNext(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a')]
  const at = links.indexOf(event.target as HTMLElement)
  const step = steps[event.key]
  const next = event.key === 'Home' ? 0 : event.key === 'End' ? links.length - 1 : step && at + step
  if (at < 0 || next === undefined) return
  event.preventDefault()
  links[next]?.focus()
}

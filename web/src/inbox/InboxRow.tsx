import type { InboxItem } from '@parley/sdk'
import { NavLink } from 'react-router'
import { peerOf } from './cache.ts'
import { useMe } from '../service/session.ts'
import { useTyping } from '../thread/typing.ts'
import { shortAddress } from '../ui/address.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { classes } from '../ui/classes.ts'
import { SendState } from '../ui/SendState.tsx'
import { relativeTime } from '../ui/time.ts'
import { useMinute } from '../ui/minute.ts'
import { Preview } from './Preview.tsx'
import { pathOf, seedOf, titleOf } from './rows.ts'

/** One conversation: its title, last message, time and number of unread messages. */
export function InboxRow({ row }: { row: InboxItem }) {
  const me = useMe()
  const now = useMinute()
  const direct = row.context_type === 'dm'
  const typing = useTyping(direct ? peerOf(row, me) : row.nftaddr)
  const sender = row.fromaddr === me ? 'You' : direct ? '' : row.sender_name || shortAddress(row.fromaddr)
  return (
    <NavLink
      to={pathOf(row, me)}
      className={({ isActive }) =>
        classes(
          'flex h-18 items-center gap-3 rounded-xl px-2 -outline-offset-2',
          isActive ? 'border-current bg-selected forced-colors:border-2' : 'hover:bg-hover',
        )
      }
    >
      <Avatar seed={seedOf(row, me)} picture={row.logo} size="large" square={!direct} />
      <span className="grid min-w-0 flex-1 grid-cols-1 gap-0.5">
        <span className="flex items-baseline gap-2">
          <span className={classes('flex-1 truncate', row.unread > 0 ? 'font-semibold' : 'font-medium')}>
            <bdi>{titleOf(row, me)}</bdi>
          </span>
          <time
            dateTime={row.timestamp}
            className={classes('shrink-0 text-xs', row.unread > 0 ? 'text-accent' : 'text-muted')}
          >
            {relativeTime(row.timestamp, now)}
          </time>
        </span>
        <span className="flex items-center gap-2">
          <span className="min-w-0 flex-1 truncate text-sm text-muted">
            {typing.length > 0 ? (
              <span className="text-accent">typing…</span>
            ) : row.id === 0 && !row.message ? (
              <em>No messages yet</em>
            ) : (
              <>
                {row.id === 0 && (
                  <span className="me-1 inline-block align-middle">
                    <SendState state="waiting" />
                  </span>
                )}
                {sender && `${sender}: `}
                <bdi>
                  <Preview row={row} />
                </bdi>
              </>
            )}
          </span>
          <Badge count={row.unread} />
        </span>
      </span>
    </NavLink>
  )
}

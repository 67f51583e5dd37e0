import type { InboxItem } from '@parley/sdk'
import { BellOff, PencilLine } from 'lucide-react'
import { NavLink } from 'react-router'
import { isMuted } from '../ui/muted.ts'
import { peerOf } from './cache.ts'
import { useBlocked } from '../names/blocked.ts'
import { BotMark } from '../names/BotMark.tsx'
import { useDrafts } from '../suggested/drafts.ts'
import { useMe } from '../service/session.ts'
import { removedText } from '../thread/posts.ts'
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
  const muted = isMuted(row.muted_until, now)
  const calls = row.unread > 0 && !muted
  const isSuggested = useDrafts(direct ? { toaddr: peerOf(row, me) } : { nftaddr: row.nftaddr }).length > 0
  const typing = useTyping(direct ? peerOf(row, me) : row.nftaddr)
  const isOfOthers = !direct && row.id > 0 && row.fromaddr !== me
  // As in the chat itself: a post of a wallet that the reader has blocked is not shown unasked.
  const isHidden = useBlocked(isOfOthers).has(row.fromaddr) && isOfOthers
  const sender = isHidden ? '' : senderOf(row, me)
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
          <span className="flex min-w-0 flex-1 items-baseline gap-1.5">
            <span className={classes('truncate', calls ? 'font-semibold' : 'font-medium')}>
              <bdi>{titleOf(row, me)}</bdi>
            </span>
            {direct && <BotMark address={peerOf(row, me)} />}
          </span>
          <time
            dateTime={row.timestamp}
            className={classes('shrink-0 text-xs', calls ? 'text-accent' : 'text-muted')}
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
                  {isHidden ? (
                    <em>Hidden message</em>
                  ) : row.removed ? (
                    <em>{removedText(row.removed_by)}</em>
                  ) : (
                    <Preview row={row} />
                  )}
                </bdi>
              </>
            )}
          </span>
          {isSuggested && (
            <PencilLine className="size-4 shrink-0 text-accent" role="img" aria-label="Suggested message" />
          )}
          {muted && <BellOff className="size-4 shrink-0 text-muted" role="img" aria-label="Muted" />}
          <Badge count={row.unread} quiet={muted} />
        </span>
      </span>
    </NavLink>
  )
}

/** Who wrote the last message, where the row does not say it. */
function senderOf({ context_type, fromaddr, sender_name }: InboxItem, me: string): string {
  if (fromaddr === me) return 'You'
  return context_type === 'dm' ? '' : sender_name || shortAddress(fromaddr)
}

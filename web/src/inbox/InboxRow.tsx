import type { InboxItem } from '@parley/sdk'
import { BellOff, CircleAlert, Clock, PencilLine } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { isMuted } from '../state/muted.ts'
import { isPageOf } from './page-of.ts'
import { peerOf } from '../names/peer.ts'
import { useBlocked } from '../names/blocked.ts'
import { WalletMark } from '../names/WalletMark.tsx'
import { useDrafts } from '../suggested/drafts.ts'
import { useLater } from '../service/later.ts'
import { useMe } from '../service/session.ts'
import { draftKey } from '../thread/drafts.ts'
import { removedText } from '../thread/posts.ts'
import { useTyping } from '../thread/typing.ts'
import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { classes } from '../ui/classes.ts'
import { useWritten } from '../messages/draft.ts'
import { lineOf } from '../messages/said.ts'
import { relativeTime } from '../state/time.ts'
import { useMinute } from '../state/minute.ts'
import { EnsName } from './EnsName.tsx'
import { Preview } from './Preview.tsx'
import { pathOf, seedOf, titleOf } from './rows.ts'
import { useUnsent } from './unsent.ts'

/** Shows one conversation: its title, last message, time and number of unread messages. */
export function InboxRow({ row }: { row: InboxItem }) {
  const me = useMe()
  const now = useMinute()
  const direct = row.context_type === 'dm'
  const muted = isMuted(row.muted_until, now)
  const calls = row.unread > 0 && !muted
  const target = direct ? { toaddr: peerOf(row, me) } : { nftaddr: row.nftaddr }
  const isSuggested = useDrafts(target, useLater()).length > 0
  const typing = useTyping(direct ? peerOf(row, me) : row.nftaddr)
  const unsent = useUnsent(row)
  // The draft of the open conversation is in its field.
  const { pathname } = useLocation()
  const isOpen = pathname === pathOf(row, me)
  const isActive = isPageOf(pathOf(row, me), pathname)
  const draft = useWritten(isOpen ? undefined : draftKey(me, threadOf(row, me))).trim()
  const isOfOthers = !direct && row.id > 0 && row.fromaddr !== me
  // A post of a wallet that the reader has blocked stays hidden, as in the chat itself.
  const isHidden = useBlocked().has(row.fromaddr) && isOfOthers
  const sender = isHidden ? '' : senderOf(row, me)
  return (
    <Link
      to={pathOf(row, me)}
      aria-current={isActive ? 'page' : undefined}
      className={classes(
        'flex h-18 items-center gap-3 rounded-xl px-2 -outline-offset-2',
        isActive ? 'border-current bg-selected forced-colors:border-2' : 'hover:bg-hover',
      )}
    >
      <Avatar seed={seedOf(row, me)} picture={row.logo} size="large" square={!direct} />
      <span className="grid min-w-0 flex-1 grid-cols-1 gap-0.5">
        <span className="flex items-baseline gap-2">
          <span className="flex min-w-0 flex-1 items-baseline gap-1.5">
            <span className={classes('truncate', calls ? 'font-semibold' : 'font-medium')}>
              <bdi>{titleOf(row, me)}</bdi>
            </span>
            {direct && <WalletMark address={peerOf(row, me)} name={row.name} mayWait />}
            {direct && peerOf(row, me) !== me && <EnsName address={peerOf(row, me)} />}
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
            {unsent?.state === 'failed' ? (
              <span className="font-medium text-danger">
                <CircleAlert className={mark} aria-hidden="true" />
                Not sent: <bdi>{lineOf(unsent).slice(0, shown)}</bdi>
              </span>
            ) : typing.length > 0 ? (
              <span className="text-accent">typing…</span>
            ) : draft ? (
              <>
                <span className="font-medium text-accent">Draft:</span> <bdi>{draft.slice(0, shown)}</bdi>
              </>
            ) : unsent ? (
              <>
                <Clock
                  className={mark}
                  role="img"
                  aria-label={row.id === 0 ? 'Waiting for a connection' : 'Waiting'}
                />
                You: <bdi>{lineOf(unsent).slice(0, shown)}</bdi>
              </>
            ) : row.id === 0 && !row.message ? (
              <em>No messages yet</em>
            ) : (
              <>
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
    </Link>
  )
}

/** A row shows at most this many characters of a text, which is more than fits. */
const shown = 200

const mark = 'me-1 inline size-3.5 align-[-0.15em]'

/** Returns the thread of its page (`thread/`). */
const threadOf = (row: InboxItem, me: string): string =>
  row.context_type === 'dm' ? `dm ${peerOf(row, me)}` : `chat ${row.nftaddr.toLowerCase()}`

/** Returns the sender of the last message when the row does not say it. */
function senderOf({ context_type, fromaddr, sender_name }: InboxItem, me: string): string {
  if (fromaddr === me) return 'You'
  return context_type === 'dm' ? '' : sender_name || shortAddress(fromaddr)
}

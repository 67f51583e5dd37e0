import type { InboxItem } from '@parley/sdk'
import { Check, CircleAlert, TriangleAlert, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { plainFiles } from '../files/of-messages.ts'
import { peerOf } from '../names/peer.ts'
import { EnsName } from '../inbox/EnsName.tsx'
import { useLookAlike } from '../inbox/look-alikes.ts'
import { Preview } from '../inbox/Preview.tsx'
import { useReadable } from '../keys/state/readable.ts'
import { saidOfFiles } from '../messages/said.ts'
import { useAliases } from '../names/aliases.ts'
import { useMe } from '../service/session.ts'
import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { classes } from '../ui/classes.ts'
import { useMinute } from '../state/minute.ts'
import { Seal } from '../seal/Seal.tsx'
import { relativeTime } from '../state/time.ts'
import { WalletMark } from '../names/WalletMark.tsx'
import { useTeamAlarm } from './team-alarm.ts'
import { alarmsOf, hostsOf, isDisguised } from './warnings.ts'
import type { Decision } from './decide.ts'

interface Props {
  row: InboxItem
  busy: boolean
  onDecide: (decision: Decision) => void
}

/**
 * Shows a request, its warnings, and the decisions. It has the seal, not the picture that a stranger has chosen. A swipe
 * decides nothing: to accept lets a stranger write and see what one reads, and a finger that scrolls or goes back must
 * not do that. The buttons are beside the request where there is room, else below it.
 */
export function RequestRow({ row, busy, onDecide }: Props) {
  const me = useMe()
  const now = useMinute()
  const peer = peerOf(row, me)
  const alias = useAliases().get(peer)
  const other = useLookAlike(peer, row.name)
  const name = alias ?? row.name
  const title = name || shortAddress(peer)
  return (
    <li data-peer={peer} className="@container rounded-xl focus-within:bg-hover hover:bg-hover">
      <div className="@lg:flex @lg:items-center">
        <Link
          to={`/dm/${encodeURIComponent(peer)}`}
          className="flex min-w-0 @lg:flex-1 min-h-18 items-center gap-3 rounded-xl px-2 py-1.5 -outline-offset-2"
        >
          <Avatar seed={peer} size="large" />
          <span className="grid min-w-0 flex-1 grid-cols-1 gap-0.5">
            <span className="flex items-baseline gap-2">
              <span className="min-w-0 truncate font-medium">
                <bdi>{title}</bdi>
              </span>
              <WalletMark address={peer} name={row.name} />
              {name && (
                <span className="font-address min-w-0 flex-1 truncate text-xs text-muted">
                  {shortAddress(peer)}
                </span>
              )}
              <time dateTime={row.timestamp} className="ms-auto shrink-0 text-xs text-muted">
                {relativeTime(row.timestamp, now)}
              </time>
            </span>
            <EnsName address={peer} />
            {other && (
              <span className="flex items-center gap-1.5 text-sm font-semibold text-danger">
                <span className="size-5 shrink-0" aria-hidden="true">
                  <Seal seed={other.address} />
                </span>
                <span className="min-w-0 truncate">This is not {other.title}</span>
              </span>
            )}
            <span className="flex items-center gap-2">
              <span className="min-w-0 flex-1 truncate text-sm text-muted">
                <bdi>
                  <Preview row={row} linksOff />
                </bdi>
              </span>
              <Badge count={row.unread} quiet />
            </span>
            <Alarms row={row} peer={peer} title={title} />
          </span>
        </Link>
        <div className="flex gap-2 ps-17 pe-2 pb-2 @lg:ps-0 @lg:pb-0">
          <Choice label={`Accept ${title}`} busy={busy} onClick={() => onDecide('accept')}>
            <Check className="size-4.5 text-accent" aria-hidden="true" />
            Accept
          </Choice>
          <Choice label={`Ignore ${title}`} busy={busy} onClick={() => onDecide('ignore')}>
            <X className="size-4.5" aria-hidden="true" />
            Ignore
          </Choice>
        </div>
      </div>
    </li>
  )
}

interface ChoiceProps {
  label: string
  busy: boolean
  onClick: () => void
  children: ReactNode
}

const Choice = ({ label, busy, onClick, children }: ChoiceProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    disabled={busy}
    onClick={onClick}
    className="inline-flex min-h-9 flex-1 items-center justify-center gap-1.5 rounded-xl border border-line bg-raised px-3 text-sm font-medium hover:bg-selected disabled:opacity-55 max-md:min-h-11 pointer-coarse:min-h-11"
  >
    {children}
  </button>
)

/** Shows where the links of the last message lead, and that it has warnings. */
function Alarms({ row, peer, title }: { row: InboxItem; peer: string; title: string }) {
  const readable = useReadable()
  const { text: whole, content } = readable(row)
  const files = content ? content.files : (plainFiles(row.files).files ?? [])
  // Without a text a message has the names of its files.
  const text = saidOfFiles({ text: whole, files }) === undefined ? whole : ''
  const notOfTeam = useTeamAlarm(peer, {
    title,
    ownName: row.name,
    texts: [text],
    files: files.map(({ name }) => name),
  })
  const alarms = [...(notOfTeam ? [notOfTeam] : []), ...alarmsOf([text])]
  if (alarms.length === 0) return null
  const hosts = hostsOf([text])
  const isDangerous =
    notOfTeam !== undefined || hosts.some(isDisguised) || alarms.length > 1 || hosts.length === 0
  const Icon = isDangerous ? TriangleAlert : CircleAlert
  return (
    <span
      title={alarms.join(' ')}
      className={classes(
        'flex min-w-0 items-center gap-1 text-xs font-medium',
        isDangerous ? 'text-danger' : 'text-warn',
      )}
    >
      <Icon className="size-3.5 shrink-0" role="img" aria-label={`Warning: ${alarms.join(' ')}`} />
      <span className="min-w-0 truncate">
        {notOfTeam ?? (hosts.length > 0 ? hosts.join(', ') : alarms[0])}
      </span>
    </span>
  )
}

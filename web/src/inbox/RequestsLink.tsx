import { NavLink } from 'react-router'
import { useAliases } from '../names/aliases.ts'
import { useMe } from '../service/session.ts'
import { shortAddress } from '../seal/address.ts'
import { classes } from '../ui/classes.ts'
import { Seal } from '../seal/Seal.tsx'
import { peerOf } from '../names/peer.ts'
import { requestsPage, useHasNewRequests, useRequests } from './requests.ts'

/** At most this many people are shown. */
const most = 3

/**
 * Links to the requests, when there are some: it shows the number of people who wait, who they are, and whether there
 * are new ones.
 */
export function RequestsLink({ isReady }: { isReady: boolean }) {
  const me = useMe()
  const aliases = useAliases()
  const { data: rows = [] } = useRequests({ isReady })
  const isNew = useHasNewRequests(isReady)
  if (rows.length === 0) return null
  const people = rows.slice(0, most).map((row) => {
    const peer = peerOf(row, me)
    return { peer, title: aliases.get(peer) || row.name || shortAddress(peer) }
  })
  const names = people.map(({ title }) => title).join(', ') + (rows.length > most ? ' and others' : '')
  return (
    <NavLink
      to="/requests"
      className={({ isActive }) =>
        classes(
          'mx-2 mb-1 flex min-h-14 shrink-0 items-center gap-3 rounded-xl px-2 py-1 -outline-offset-2',
          isActive ? 'border-current bg-selected forced-colors:border-2' : 'hover:bg-hover',
        )
      }
    >
      <span className="flex w-12 shrink-0 justify-center -space-x-3 rtl:space-x-reverse" aria-hidden="true">
        {people.map(({ peer }) => (
          <span key={peer} className="size-7 rounded-full border-2 border-surface">
            <Seal seed={peer} />
          </span>
        ))}
      </span>
      <span className="grid min-w-0 flex-1 grid-cols-1">
        <span className={isNew ? 'font-semibold' : 'font-medium'}>Requests</span>
        <span className="truncate text-sm text-muted">
          <bdi>{names}</bdi>
        </span>
      </span>
      <span className="text-xs font-medium text-muted tabular-nums">
        {rows.length}
        {rows.length === requestsPage && '+'}
        <span className="sr-only">{rows.length === 1 ? ' person' : ' people'}</span>
      </span>
      {isNew && (
        <span className="size-2.5 shrink-0 rounded-full border border-transparent bg-accent">
          <span className="sr-only">New since your last visit</span>
        </span>
      )}
    </NavLink>
  )
}

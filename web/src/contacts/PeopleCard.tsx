import type { Contact } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { showProfile } from '../names/shown-profile.ts'
import { useName } from '../names/profile.ts'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { shortDate } from '../state/time.ts'
import { useSetContact } from './change.ts'

const portion = 50

const lists = {
  blocked: {
    title: 'Blocked',
    empty: 'You haven’t blocked anyone.',
    button: 'Unblock',
    update: { blocked: false },
  },
  ignored: {
    title: 'Ignored',
    empty: 'You aren’t ignoring anyone.',
    button: 'Accept',
    update: { state: 'accepted' },
  },
  named: {
    title: 'Your nicknames',
    empty: 'Add nicknames from a profile.',
    button: 'Remove the nickname',
    update: { alias: null },
  },
} as const
type Which = keyof typeof lists

/** Lists the wallets that the reader has blocked, ignores, or has given a name. */
export function PeopleCard() {
  return (
    <Card title="People">
      <p className="text-sm text-pretty text-muted">Only you can see this.</p>
      {(Object.keys(lists) as Which[]).map((which) => (
        <People key={which} which={which} />
      ))}
    </Card>
  )
}

function People({ which }: { which: Which }) {
  const { title, empty } = lists[which]
  const [limit, setLimit] = useState(portion)
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['listContacts', which, limit],
    queryFn: () =>
      client.listContacts({ query: { limit, ...(which === 'named' ? { named: true } : { state: which }) } }),
    placeholderData: (before) => before,
  })
  return (
    <div className="grid grid-cols-1 gap-1">
      <h3 className="text-sm font-semibold">{title}</h3>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {error && !data && describeError(error)}
      </p>
      {data?.length === 0 && <p className="text-sm text-muted">{empty}</p>}
      <ul className="grid grid-cols-1">
        {data?.map((contact) => (
          <PersonRow key={contact.peer} contact={contact} which={which} />
        ))}
      </ul>
      {data?.length === limit && limit < 1000 && (
        <div>
          <Button busy={isPlaceholderData} onClick={() => setLimit(Math.min(1000, limit + portion))}>
            Show more
          </Button>
        </div>
      )}
    </div>
  )
}

function PersonRow({ contact: { peer, alias, since }, which }: { contact: Contact; which: Which }) {
  const { button, update } = lists[which]
  const set = useSetContact(peer)
  const [busy, setBusy] = useState(false)
  const { ownName } = useName(peer)
  const name = alias ?? ownName
  return (
    <li className="flex min-h-14 items-center gap-3">
      <button
        type="button"
        onClick={() => showProfile(peer, which !== 'named')}
        className="-ms-2 flex min-h-11 min-w-0 flex-1 items-center gap-3 rounded-xl px-2 text-start hover:bg-hover"
      >
        <Avatar seed={peer} />
        <span className="grid min-w-0 leading-tight">
          <span className="truncate font-medium" dir="auto">
            {name || shortAddress(peer)}
          </span>
          <span className="truncate text-xs text-muted">
            {name && <span className="font-address">{shortAddress(peer)} </span>}
            {which !== 'named' && since && `since ${shortDate(since)}`}
            {which === 'named' && ownName && `calls themselves ${ownName}`}
          </span>
        </span>
      </button>
      <Button
        busy={busy}
        aria-label={`${button}: ${name || shortAddress(peer)}`}
        onClick={() => {
          setBusy(true)
          void set(update).then(() => setBusy(false))
        }}
      >
        {button}
      </Button>
    </li>
  )
}

import { useState } from 'react'
import { describeError } from '../service/describe-error.ts'
import { useMe } from '../service/session.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { ShownChat } from './chat-team.ts'
import { MemberRow } from './MemberRow.tsx'
import { useMembers } from './members.ts'

/** The list starts with this number of members and grows by it each time. */
const portion = 50

/** Lists the wallets that have joined a chat: moderators first, then those with a name. */
export function Members({ nftaddr, count }: { nftaddr: string; count?: number }) {
  const me = useMe()
  const [search, setSearch] = useState('')
  const [most, setMost] = useState(portion)
  const { members, isRead, isReading, hasMore, readMore, error } = useMembers(nftaddr, search)
  const shown = members.slice(0, most)
  return (
    <Card title={count === undefined ? 'Members' : `Members · ${count}`}>
      {(members.length > 8 || hasMore || search) && (
        <SearchField
          aria-label="Search members"
          placeholder="Search by name or address"
          value={search}
          autoComplete="off"
          spellCheck={false}
          onChange={setSearch}
        />
      )}
      {error && <p className="text-sm text-danger">{describeError(error)}</p>}
      <p role="status" className="text-sm text-muted empty:hidden">
        {isRead && members.length === 0 && nobody(search, isReading)}
      </p>
      <ShownChat value={nftaddr}>
        <ul className="-mx-2 grid grid-cols-1 sm:grid-cols-2" aria-label="Members">
          {shown.map((member) => (
            <MemberRow key={member.walletaddr} member={member} isMe={member.walletaddr === me} />
          ))}
        </ul>
      </ShownChat>
      {(members.length > most || hasMore) && (
        <div>
          <Button
            busy={isReading}
            onClick={() => {
              setMost(most + portion)
              if (members.length < most + portion) readMore()
            }}
          >
            Show more
          </Button>
        </div>
      )}
    </Card>
  )
}

function nobody(search: string, isReading: boolean): string {
  if (!search) return 'No members yet.'
  return isReading ? 'Searching…' : `Nobody here is called “${search}”.`
}

import type { Moderator } from '@parley/sdk/contract/chat-moderation-models.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { WalletRow } from '../names/WalletRow.tsx'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useMe } from '../service/session.ts'
import { Card } from '../ui/Card.tsx'
import { shortDate } from '../state/time.ts'
import { AddModerator } from './AddModerator.tsx'
import { EndRole } from './EndRole.tsx'
import { HandOver } from './HandOver.tsx'
import { keepModerators, type Role } from './roles.ts'
import { RowButton } from './RowButton.tsx'

interface Props {
  nftaddr: string
  moderators: Moderator[]
  /** This is the reader's own role. */
  role: Role | undefined
}

const names: Record<Role, string> = { owner: 'Owner', moderator: 'Moderator' }

/** Lists the moderators; the owner can add and remove them. */
export function ModeratorsCard({ nftaddr, moderators, role }: Props) {
  const me = useMe()
  const [asking, setAsking] = useState<{ what: 'end' | 'hand over'; wallet: string }>()
  const close = () => setAsking(undefined)
  const end = useMutation({
    mutationFn: (walletaddr: string) => client.removeModerator({ nftaddr, walletaddr }),
    onSuccess: (after) => keepModerators(nftaddr, after),
    onSettled: close,
  })
  return (
    <Card title="Moderators">
      {moderators.length === 0 && (
        <p className="text-sm text-pretty text-muted">
          Nobody. To reach the operators of {location.host}, open the chat’s menu and choose “Report this
          chat…”.
        </p>
      )}
      <ul className="grid grid-cols-1" aria-label="Moderators">
        {moderators.map(({ walletaddr, role: its, since }) => (
          <WalletRow key={walletaddr} address={walletaddr} hint={`${names[its]} since ${shortDate(since)}`}>
            {role === 'owner' && its === 'moderator' && (
              <RowButton
                address={walletaddr}
                label="Hand over…"
                onClick={() => setAsking({ what: 'hand over', wallet: walletaddr })}
              />
            )}
            {its === 'moderator' && (role === 'owner' || walletaddr === me) && (
              <RowButton
                address={walletaddr}
                label={walletaddr === me ? 'Step down…' : 'Remove…'}
                onClick={() => setAsking({ what: 'end', wallet: walletaddr })}
              />
            )}
          </WalletRow>
        ))}
      </ul>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {end.error && describeError(end.error)}
      </p>
      {role === 'owner' && <AddModerator nftaddr={nftaddr} />}
      {asking?.what === 'end' && (
        <EndRole
          wallet={asking.wallet}
          busy={end.isPending}
          onClose={close}
          onEnd={() => end.mutate(asking.wallet)}
        />
      )}
      {asking?.what === 'hand over' && <HandOver nftaddr={nftaddr} wallet={asking.wallet} onClose={close} />}
    </Card>
  )
}

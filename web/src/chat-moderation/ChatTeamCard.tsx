import { useMutation } from '@tanstack/react-query'
import { WalletRow } from '../names/WalletRow.tsx'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useMe } from '../service/session.ts'
import { Card } from '../ui/Card.tsx'
import { AddToTeam } from './AddToTeam.tsx'
import { RowButton } from './RowButton.tsx'
import { keepTeam, useChatTeam } from './team.ts'

interface Props {
  nftaddr: string
  isOwner: boolean
}

/** Lists the team of a chat; its owner can name wallets and take them off it. */
export function ChatTeamCard({ nftaddr, isOwner }: Props) {
  const me = useMe()
  const { data: team = [] } = useChatTeam(nftaddr)
  const end = useMutation({
    mutationFn: (walletaddr: string) => client.removeFromChatTeam({ nftaddr, walletaddr }),
    onSuccess: (_, gone) =>
      keepTeam(
        nftaddr,
        team.filter(({ walletaddr }) => walletaddr !== gone),
      ),
  })
  if (!isOwner && team.length === 0) return null
  return (
    <Card title="Team">
      <p className="text-sm text-pretty text-muted">
        People see what they do beside their names, in this chat alone. They are not the team of{' '}
        {location.host}.
      </p>
      <ul className="grid grid-cols-1 empty:hidden" aria-label="Team">
        {team.map(({ walletaddr, label }) => (
          <WalletRow key={walletaddr} address={walletaddr} hint={label}>
            {(isOwner || walletaddr === me) && (
              <RowButton
                address={walletaddr}
                label={walletaddr === me ? 'Leave the team' : 'Take off the team'}
                onClick={() => end.mutate(walletaddr)}
              />
            )}
          </WalletRow>
        ))}
      </ul>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {end.error && describeError(end.error)}
      </p>
      {isOwner && <AddToTeam nftaddr={nftaddr} />}
    </Card>
  )
}

import type { Restriction } from '@parley/sdk/contract/chat-moderation-models.ts'
import { useMutation } from '@tanstack/react-query'
import { WalletRow } from '../names/WalletRow.tsx'
import { describeError } from '../service/describe-error.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { Card } from '../ui/Card.tsx'
import { showNotice } from '../state/notice.ts'
import { RowButton } from './RowButton.tsx'
import { restrict, useRestricted } from './restrictions.ts'
import { untilWords } from './labels.ts'

/** Lists the wallets that are muted or banned in a chat, until when and why. */
export function RestrictedCard({ nftaddr }: { nftaddr: string }) {
  const { data, error, refetch } = useRestricted(nftaddr)
  return (
    <Card title="Restricted">
      {error && !data && <ReadProblem error={error} what="The list" onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <p className="text-sm text-pretty text-muted">
          Nobody. To mute or ban someone, open the menu of their message.
        </p>
      )}
      <ul className="grid grid-cols-1" aria-label="Restricted">
        {data?.map((one) => (
          <Restricted key={one.walletaddr} nftaddr={nftaddr} restriction={one} />
        ))}
      </ul>
    </Card>
  )
}

function Restricted({ nftaddr, restriction }: { nftaddr: string; restriction: Restriction }) {
  const { walletaddr, muted_until, banned_until, reason } = restriction
  const lift = useMutation({
    mutationFn: () => restrict(nftaddr, walletaddr, { muted_until: null, banned_until: null, reason: '' }),
    onSuccess: () => showNotice('Lifted'),
    onError: (error) => showNotice(describeError(error)),
  })
  const holds = [
    ...(banned_until === undefined ? [] : [`Banned ${untilWords(banned_until)}`]),
    ...(muted_until === undefined ? [] : [`Muted ${untilWords(muted_until)}`]),
  ].join('. ')
  return (
    <WalletRow address={walletaddr} hint={reason ? `${holds}. ${reason}` : holds}>
      <RowButton address={walletaddr} label="Lift" busy={lift.isPending} onClick={() => lift.mutate()} />
    </WalletRow>
  )
}

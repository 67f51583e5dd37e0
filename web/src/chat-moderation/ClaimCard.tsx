import { useMutation } from '@tanstack/react-query'
import { client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { showNotice } from '../state/notice.ts'
import { keepModerators } from './roles.ts'

/** Explains how the owner of an NFT contract becomes the owner of its chat. */
export function ClaimCard({ nftaddr, hasOwner }: { nftaddr: string; hasOwner: boolean }) {
  const claim = useMutation({
    mutationFn: () => client.claimChat({ nftaddr }),
    onSuccess: (after) => {
      keepModerators(nftaddr, after)
      showNotice('You own this chat now')
    },
  })
  return (
    <Card title="Is this your contract?">
      <p className="text-sm text-pretty text-muted">
        If your wallet owns this contract on the chain, you can moderate its chat.
        {hasOwner && ' Its current owner becomes a moderator.'}
      </p>
      <Problem error={claim.error} />
      <Button className="justify-self-start" busy={claim.isPending} onClick={() => claim.mutate()}>
        Claim this chat
      </Button>
    </Card>
  )
}

import { useMutation } from '@tanstack/react-query'
import { client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { showNotice } from '../ui/notice.ts'
import { keepModerators } from './roles.ts'

/** How the owner of an NFT contract becomes the owner of its chat. */
export function ClaimCard({ nftaddr, hasOwner }: { nftaddr: string; hasOwner: boolean }) {
  const claim = useMutation({
    mutationFn: () => client.claimChat({ nftaddr }),
    onSuccess: (after) => {
      keepModerators(nftaddr, after)
      showNotice('This chat is yours now')
    },
  })
  return (
    <Card title="Is this your contract?">
      <p className="text-sm text-pretty text-muted">
        The wallet that the contract names as its owner can moderate this chat: the service asks the chain.
        {hasOwner && ' Who owns the chat now is a moderator then.'}
      </p>
      <Problem error={claim.error} />
      <Button className="justify-self-start" busy={claim.isPending} onClick={() => claim.mutate()}>
        Claim this chat
      </Button>
    </Card>
  )
}

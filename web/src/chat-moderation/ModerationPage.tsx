import { ApiError } from '@parley/sdk'
import { useParams } from 'react-router'
import { useProfile } from '../names/profile.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { isEvmAddress, shortAddress } from '../ui/address.ts'
import { Card } from '../ui/Card.tsx'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { ChatLogCard } from './ChatLogCard.tsx'
import { ClaimCard } from './ClaimCard.tsx'
import { HeldCard } from './HeldCard.tsx'
import { ModeratorsCard } from './ModeratorsCard.tsx'
import { RestrictedCard } from './RestrictedCard.tsx'
import { useModerators, useRole } from './roles.ts'
import { RulesCard } from './RulesCard.tsx'

/** Who moderates a chat and by which rules, for all who read it; and what those who do need for it. */
export function ModerationPage() {
  const { nftaddr: contract = '', community = '' } = useParams()
  const nftaddr = community || contract
  const { name } = useProfile(nftaddr)
  const { data, error, refetch } = useModerators(nftaddr)
  const role = useRole(nftaddr)
  const title = community || name || shortAddress(nftaddr)
  return (
    <Page title={`Moderation of ${title}`}>
      {error && !data && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Spinner />}
      {data && (
        <>
          {role && <HeldCard nftaddr={nftaddr} />}
          <ModeratorsCard nftaddr={nftaddr} moderators={data} role={role} />
          {isEvmAddress(nftaddr) && role !== 'owner' && (
            <ClaimCard nftaddr={nftaddr} hasOwner={data.some((one) => one.role === 'owner')} />
          )}
          <RulesCard nftaddr={nftaddr} role={role} />
          {role && <RestrictedCard nftaddr={nftaddr} />}
          {role && <ChatLogCard nftaddr={nftaddr} />}
        </>
      )}
    </Page>
  )
}

/** A wallet that may not read the chat is told why. */
const Problem = ({ error, onRetry }: { error: Error; onRetry: () => void }) =>
  error instanceof ApiError && error.status === 404 ? (
    <Card>
      <p className="text-muted">There is no such chat.</p>
    </Card>
  ) : (
    <ReadProblem error={error} what="The moderators" onRetry={onRetry} />
  )

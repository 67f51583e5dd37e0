import { ApiError } from '@parley/sdk'
import { useParams } from 'react-router'
import { GateCard } from '../gates/GateCard.tsx'
import { PublicReadingCard } from '../public-reading/PublicReadingCard.tsx'
import { useName } from '../names/profile.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { isEvmAddress, shortAddress } from '../seal/address.ts'
import { Card } from '../ui/Card.tsx'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { AnnounceDialog } from './AnnounceDialog.tsx'
import { AnnouncementsCard } from './AnnouncementsCard.tsx'
import { useAnnounceable } from './announcing.ts'
import { ChatLogCard } from './ChatLogCard.tsx'
import { ChatTeamCard } from './ChatTeamCard.tsx'
import { ClaimCard } from './ClaimCard.tsx'
import { DownloadCard } from './DownloadCard.tsx'
import { HeldCard } from './HeldCard.tsx'
import { ModeratorsCard } from './ModeratorsCard.tsx'
import { RestrictedCard } from './RestrictedCard.tsx'
import { useModerators, useRole } from './roles.ts'
import { RoomsCard } from './RoomsCard.tsx'
import { RulesCard } from './RulesCard.tsx'

/** Shows the moderators and the rules of a chat to all who read it, and to moderators what they need. */
export function ModerationPage() {
  const { nftaddr: contract = '', community = '', room } = useParams()
  const nftaddr = room === undefined ? community || contract : `${community}/${room}`
  const isCommunity = community !== '' && !nftaddr.includes('/')
  const { name } = useName(nftaddr)
  const { data, error, refetch } = useModerators(nftaddr)
  const role = useRole(nftaddr)
  const announced = useAnnounceable()
  const title = (community && nftaddr) || name || shortAddress(nftaddr)
  return (
    <Page title={`Moderation of ${title}`}>
      {error && !data && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Spinner />}
      {data && (
        <>
          {role && <HeldCard nftaddr={nftaddr} />}
          {role && <AnnouncementsCard nftaddr={nftaddr} />}
          {isCommunity && role && <RoomsCard community={community} />}
          <ModeratorsCard nftaddr={nftaddr} moderators={data} role={role} />
          <ChatTeamCard nftaddr={nftaddr} isOwner={role === 'owner'} />
          {isEvmAddress(nftaddr) && role !== 'owner' && (
            <ClaimCard nftaddr={nftaddr} hasOwner={data.some((one) => one.role === 'owner')} />
          )}
          <GateCard nftaddr={nftaddr} isOwner={role === 'owner'} />
          {isCommunity && role === 'owner' && <PublicReadingCard community={community} />}
          <RulesCard nftaddr={nftaddr} role={role} />
          {role === 'owner' && <DownloadCard nftaddr={nftaddr} />}
          {role && <RestrictedCard nftaddr={nftaddr} />}
          {role && <ChatLogCard nftaddr={nftaddr} />}
          {announced && <AnnounceDialog what={announced} />}
        </>
      )}
    </Page>
  )
}

/** Says why a wallet may not read the chat. */
const Problem = ({ error, onRetry }: { error: Error; onRetry: () => void }) =>
  error instanceof ApiError && error.status === 404 ? (
    <Card>
      <p className="text-muted">This chat doesn’t exist.</p>
    </Card>
  ) : (
    <ReadProblem error={error} what="The moderators" onRetry={onRetry} />
  )

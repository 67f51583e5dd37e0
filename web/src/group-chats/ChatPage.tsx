import { MessageSquareQuote } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useParams } from 'react-router'
import { describeError } from '../service/describe-error.ts'
import { useMe } from '../service/session.ts'
import { groupHistory } from '../thread/history.ts'
import { useHistory } from '../thread/use-history.ts'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { useProfile } from '../names/profile.ts'
import { shortAddress } from '../seal/address.ts'
import { MenuItem } from '../ui/Menu.tsx'
import { ChatHeader } from './ChatHeader.tsx'
import { GroupConversation } from './GroupConversation.tsx'
import { OpenComments } from './OpenComments.tsx'

const GateDoor = lazy(async () => ({ default: (await import('../gates/GateDoor.tsx')).GateDoor }))

export function ChatPage() {
  const { nftaddr = '' } = useParams()
  const { name, picture } = useProfile(nftaddr)
  const [asking, setAsking] = useState(false)
  const { error } = useHistory(groupHistory(nftaddr, useMe())).history
  const path = `/nft/${encodeURIComponent(nftaddr)}`
  const title = name || shortAddress(nftaddr)
  if ((error as { status?: number } | null)?.status === 403)
    return (
      <Page title={title}>
        <Suspense fallback={<Spinner />}>
          <GateDoor nftaddr={nftaddr} otherwise={describeError(error!)} />
        </Suspense>
      </Page>
    )
  return (
    <GroupConversation
      key={nftaddr}
      context_type="nft"
      nftaddr={nftaddr}
      title={title}
      path={path}
      header={
        <>
          <ChatHeader
            nftaddr={nftaddr}
            title={title}
            subtitle="NFT chat"
            picture={picture}
            path={path}
            about={`${path}/about`}
          >
            <MenuItem icon={<MessageSquareQuote />} onSelect={() => setAsking(true)}>
              Comments on a token
            </MenuItem>
          </ChatHeader>
          {asking && <OpenComments nftaddr={nftaddr} onClose={() => setAsking(false)} />}
        </>
      }
    />
  )
}

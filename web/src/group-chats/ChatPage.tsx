import { MessageSquareQuote } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { useProfile } from '../names/profile.ts'
import { shortAddress } from '../seal/address.ts'
import { MenuItem } from '../ui/Menu.tsx'
import { ChatHeader } from './ChatHeader.tsx'
import { GroupConversation } from './GroupConversation.tsx'
import { OpenComments } from './OpenComments.tsx'

export function ChatPage() {
  const { nftaddr = '' } = useParams()
  const { name, picture } = useProfile(nftaddr)
  const [asking, setAsking] = useState(false)
  const path = `/nft/${encodeURIComponent(nftaddr)}`
  const title = name || shortAddress(nftaddr)
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

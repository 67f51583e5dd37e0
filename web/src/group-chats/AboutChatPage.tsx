import { Copy, MessagesSquare } from 'lucide-react'
import { useNavigate, useParams } from 'react-router'
import { ModerationButton } from '../chat-moderation/ModerationButton.tsx'
import { useProfile } from '../names/profile.ts'
import { shortAddress } from '../ui/address.ts'
import { AddressBlocks } from '../ui/AddressBlocks.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { copy } from '../ui/notice.ts'
import { Page } from '../ui/Page.tsx'
import { Members } from './Members.tsx'

/** About the chat of an NFT contract: its whole address and its members. */
export function AboutChatPage() {
  const { nftaddr = '' } = useParams()
  const navigate = useNavigate()
  const { name, picture } = useProfile(nftaddr)
  return (
    <Page title="About this chat">
      <div className="grid justify-items-center gap-3 pt-4 text-center">
        <Avatar seed={nftaddr} picture={picture} size="huge" square />
        <p className="text-2xl font-semibold tracking-tight wrap-anywhere" dir="auto">
          {name || shortAddress(nftaddr)}
        </p>
        <AddressBlocks address={nftaddr} />
        <div className="mt-2 flex flex-wrap justify-center gap-2">
          <Button variant="primary" onClick={() => void navigate(`/nft/${encodeURIComponent(nftaddr)}`)}>
            <MessagesSquare className="size-4" aria-hidden="true" /> Open the chat
          </Button>
          <Button onClick={() => void copy(nftaddr, 'Copied')}>
            <Copy className="size-4" aria-hidden="true" /> Copy address
          </Button>
          <ModerationButton nftaddr={nftaddr} />
        </div>
      </div>
      <Members nftaddr={nftaddr} />
    </Page>
  )
}

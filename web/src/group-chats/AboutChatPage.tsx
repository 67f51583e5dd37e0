import { Copy, MessagesSquare } from 'lucide-react'
import { useNavigate, useParams } from 'react-router'
import { ModerationButton } from '../chat-moderation/ModerationButton.tsx'
import { useProfile } from '../names/profile.ts'
import { shortAddress } from '../seal/address.ts'
import { AddressBlocks } from '../seal/AddressBlocks.tsx'
import { Avatar } from '../seal/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { copy } from '../state/notice.ts'
import { Page } from '../ui/Page.tsx'
import { Invitation } from './Invitation.tsx'
import { Members } from './Members.tsx'

/** Shows the whole address and the members of an NFT contract's chat. */
export function AboutChatPage() {
  const { nftaddr = '' } = useParams()
  const navigate = useNavigate()
  const { name, picture } = useProfile(nftaddr)
  const path = `/nft/${encodeURIComponent(nftaddr)}`
  const title = name || shortAddress(nftaddr)
  return (
    <Page title="About this chat">
      <div className="grid justify-items-center gap-3 pt-4 text-center">
        <Avatar seed={nftaddr} picture={picture} size="huge" square />
        <p className="text-2xl font-semibold tracking-tight wrap-anywhere" dir="auto">
          {title}
        </p>
        <AddressBlocks address={nftaddr} />
        <div className="mt-2 flex flex-wrap justify-center gap-2">
          <Button variant="primary" onClick={() => void navigate(path)}>
            <MessagesSquare className="size-4" aria-hidden="true" /> Open the chat
          </Button>
          <Button onClick={() => void copy(nftaddr, 'Copied')}>
            <Copy className="size-4" aria-hidden="true" /> Copy address
          </Button>
          <ModerationButton nftaddr={nftaddr} />
        </div>
      </div>
      <Card title="Invite people">
        <Invitation path={path} seed={nftaddr} title={title} />
      </Card>
      <Members nftaddr={nftaddr} />
    </Page>
  )
}

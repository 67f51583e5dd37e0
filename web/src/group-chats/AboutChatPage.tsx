import { Copy } from 'lucide-react'
import { useParams } from 'react-router'
import { useProfile } from '../names/profile.ts'
import { shortAddress } from '../seal/address.ts'
import { AddressBlocks } from '../seal/AddressBlocks.tsx'
import { copy } from '../state/notice.ts'
import { Button } from '../ui/Button.tsx'
import { AboutChat } from './AboutChat.tsx'

/** Shows the whole address and the members of an NFT contract's chat. */
export function AboutChatPage() {
  const { nftaddr = '' } = useParams()
  const { name, picture } = useProfile(nftaddr)
  return (
    <AboutChat
      {...{ nftaddr, picture }}
      kind="chat"
      title={name || shortAddress(nftaddr)}
      path={`/nft/${encodeURIComponent(nftaddr)}`}
      buttons={
        <Button onClick={() => void copy(nftaddr, 'Copied')}>
          <Copy className="size-4" aria-hidden="true" /> Copy address
        </Button>
      }
    >
      <AddressBlocks address={nftaddr} />
    </AboutChat>
  )
}

import { Copy, Link as LinkIcon, MessageCircle } from 'lucide-react'
import { useNavigate } from 'react-router'
import { linkTo, withChecksum } from '../door/link.ts'
import { LookAlikeComparison } from './LookAlikeComparison.tsx'
import { hideProfile } from '../names/card.ts'
import { useProfile } from '../names/profile.ts'
import { useMe } from '../service/session.ts'
import { isEvmAddress, shortAddress } from '../ui/address.ts'
import { AddressBlocks } from '../ui/AddressBlocks.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { copy } from '../ui/notice.ts'
import { pictureUrl } from '../ui/picture.ts'
import { Seal } from '../ui/Seal.tsx'
import { Acquaintance } from './Acquaintance.tsx'

/** Who a wallet is: its seal, its name, its whole address, and what the reader has with it. */
export function ProfileCard({ address }: { address: string }) {
  const me = useMe()
  const navigate = useNavigate()
  const { name, picture } = useProfile(address)
  const whole = withChecksum(address)
  return (
    <Modal title={address === me ? 'Your wallet' : 'Profile'} onClose={hideProfile}>
      <div className="grid justify-items-center gap-3 text-center">
        <div className="relative size-32">
          {pictureUrl(picture) ? (
            <>
              <Avatar seed={address} picture={picture} size="card" />
              <span className="absolute -end-2 -bottom-1 size-14 rounded-full border-3 border-raised">
                <Seal seed={address} />
              </span>
            </>
          ) : (
            <Seal seed={address} />
          )}
        </div>
        <p className="max-w-full text-2xl font-semibold wrap-anywhere">{name || shortAddress(address)}</p>
      </div>
      <LookAlikeComparison address={address} />
      <button
        type="button"
        aria-label={`Copy the address ${whole}`}
        title="Copy the address"
        onClick={() => void copy(whole, 'Address copied')}
        className="group flex items-center gap-3 rounded-xl border border-line bg-page p-3.5 text-start hover:bg-hover"
      >
        <AddressBlocks address={whole} />
        <Copy className="ms-auto size-4 shrink-0 text-muted group-hover:text-ink" aria-hidden="true" />
      </button>
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button
          variant="primary"
          onClick={() => {
            hideProfile()
            void navigate(`/dm/${encodeURIComponent(address)}`)
          }}
        >
          <MessageCircle className="size-4" aria-hidden="true" />
          {address === me ? 'Notes to yourself' : 'Write'}
        </Button>
        <Button onClick={() => void copy(linkTo(address), 'Link copied')}>
          <LinkIcon className="size-4" aria-hidden="true" /> Copy link
        </Button>
      </div>
      {address !== me && <Acquaintance address={address} />}
      {isEvmAddress(address) && (
        <p className="text-sm text-muted">
          What the chain knows of it:{' '}
          <a
            className="underline underline-offset-2"
            href={`https://etherscan.io/address/${whole}`}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            etherscan.io
          </a>
        </p>
      )}
    </Modal>
  )
}

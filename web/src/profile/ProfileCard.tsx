import { importedFrom } from '@parley/sdk/imported.ts'
import { accountOf } from '@parley/sdk/accounts.ts'
import { Copy, Link as LinkIcon, MessageCircle } from 'lucide-react'
import type { ComponentType } from 'react'
import { useNavigate } from 'react-router'
import { linkTo, withChecksum } from '../first-run/link.ts'
import { EnsName } from '../inbox/EnsName.tsx'
import { LookAlikeComparison } from './LookAlikeComparison.tsx'
import { WalletMark } from '../names/WalletMark.tsx'
import { hideProfile } from '../names/shown-profile.ts'
import { useProfile } from '../names/profile.ts'
import { useMe } from '../service/session.ts'
import { shortAddress } from '../seal/address.ts'
import { AddressBlocks } from '../seal/AddressBlocks.tsx'
import { Avatar } from '../seal/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { copy } from '../state/notice.ts'
import { pictureUrl } from '../seal/picture.ts'
import { Seal } from '../seal/Seal.tsx'
import { Acquaintance } from './Acquaintance.tsx'
import { ImportedPerson } from './ImportedPerson.tsx'

interface Props {
  address: string
  sealOnly: boolean
  /** These are the actions of the reader. */
  actions: ComponentType<{ peer: string; title: string }>
}

/** These show what a wallet has done, by its kind of account. */
const explorers: Record<string, string> = { Ethereum: 'etherscan.io', Solana: 'explorer.solana.com' }

/** Shows who a wallet is: its seal, its name, its whole address, and what the reader has with it. */
export function ProfileCard({ address, sealOnly, actions: Actions }: Props) {
  const me = useMe()
  const { name, ownName, picture: chosen } = useProfile(address)
  const picture = sealOnly ? undefined : chosen
  const whole = withChecksum(address)
  const system = importedFrom(address)
  const explorer = explorers[accountOf(address)?.name ?? '']
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
        <div className="grid max-w-full gap-0.5">
          <p className="text-2xl font-semibold wrap-anywhere">
            {name || shortAddress(address)} <WalletMark address={address} name={ownName} whole />
          </p>
          <span className="justify-self-center empty:hidden">
            <EnsName address={address} isWhole />
          </span>
          {name !== ownName && (
            <p className="text-sm wrap-anywhere text-muted">
              {ownName
                ? `Calls themselves ${ownName}`
                : 'Your nickname for them. They haven’t chosen a name.'}
            </p>
          )}
        </div>
      </div>
      <LookAlikeComparison address={address} />
      <button
        type="button"
        aria-label={`Copy the address ${whole}`}
        title="Copy the address"
        onClick={() => void copy(whole, 'Address copied')}
        className="group flex items-center gap-3 rounded-xl border border-line bg-page p-3.5 text-start hover:bg-hover"
      >
        {system ? (
          <span className="min-w-0 wrap-anywhere">{address}</span>
        ) : (
          <AddressBlocks address={whole} />
        )}
        <Copy className="ms-auto size-4 shrink-0 text-muted group-hover:text-ink" aria-hidden="true" />
      </button>
      {system ? (
        <ImportedPerson address={address} system={system} />
      ) : (
        <ProfileActions address={address} title={name || shortAddress(address)} actions={Actions} />
      )}
      {explorer && (
        <p className="text-sm text-muted">
          View on{' '}
          <a
            className="underline underline-offset-2"
            href={`https://${explorer}/address/${whole}`}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            {explorer}
          </a>
        </p>
      )}
    </Modal>
  )
}

interface ActionsProps extends Pick<Props, 'address' | 'actions'> {
  title: string
}

/** What the reader can do with a wallet. */
function ProfileActions({ address, title, actions: Actions }: ActionsProps) {
  const me = useMe()
  const navigate = useNavigate()
  return (
    <>
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button
          variant="primary"
          onClick={() => {
            hideProfile()
            void navigate(`/dm/${encodeURIComponent(address)}`)
          }}
        >
          <MessageCircle className="size-4" aria-hidden="true" />
          {address === me ? 'Note to self' : 'Write'}
        </Button>
        <Button onClick={() => void copy(linkTo(address), 'Link copied')}>
          <LinkIcon className="size-4" aria-hidden="true" /> Copy link
        </Button>
      </div>
      {address !== me && <Acquaintance address={address} />}
      {address !== me && <Actions peer={address} title={title} />}
    </>
  )
}

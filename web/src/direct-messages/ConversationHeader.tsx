import { EllipsisVertical, IdCard, ImageIcon, Images, Search, ShieldCheck, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { ContactMenu } from '../contacts/ContactMenu.tsx'
import type { Standing } from '../contacts/relation.ts'
import { useNavigate } from 'react-router'
import { isListShown } from '../files/viewed.ts'
import { ComparedSign } from '../keys/view/ComparedSign.tsx'
import { showNumber } from '../keys/state/shown-number.ts'
import { EnsName } from '../inbox/EnsName.tsx'
import { useRow } from '../inbox/rows.ts'
import { BotMark } from '../names/BotMark.tsx'
import { showProfile } from '../names/shown-profile.ts'
import { ProfileButton } from '../names/ProfileButton.tsx'
import { usePicture } from '../names/profile.ts'
import { isBarOpen } from '../search/bar.ts'
import { shortAddress } from '../seal/address.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/Menu.tsx'
import { BackLink } from '../ui/BackLink.tsx'
import { useMe } from '../service/session.ts'
import type { Nft } from '../thread/history.ts'
import { useTitle } from '../state/title.ts'

const NftContext = lazy(async () => ({ default: (await import('./NftContext.tsx')).NftContext }))
const DeleteConversation = lazy(async () => ({
  default: (await import('./DeleteConversation.tsx')).DeleteConversation,
}))

interface Props {
  peer: string
  title: string
  nft: Nft | undefined
  standing: Standing
  /** This is true when the reader has compared the keys of both. */
  isCompared?: boolean | undefined
}

/** Shows the peer's name and the options of the conversation. */
export function ConversationHeader({ peer, title, nft, standing, isCompared }: Props) {
  const me = useMe()
  useTitle(nft ? `${title} about ${shortAddress(nft.nftaddr)} #${nft.nftid}` : title)
  const navigate = useNavigate()
  const { row, isKnown } = useRow({ context_type: 'dm', addr: peer })
  // The row of a conversation that has just begun has no picture yet.
  const read = usePicture(peer, { isWanted: isKnown && !row?.logo })
  const picture = row?.logo || read
  const [asking, setAsking] = useState<'nft' | 'delete'>()
  return (
    <header className="flex h-16 shrink-0 items-center gap-3 border-b border-line bg-surface px-3 sm:px-4">
      <BackLink />
      <ProfileButton address={peer} name={title} sealOnly={standing !== 'open'}>
        {/* A stranger chooses a picture for its effect; the seal cannot be chosen. */}
        <Avatar seed={peer} picture={standing === 'open' ? picture : undefined} />
      </ProfileButton>
      <div className="min-w-0 flex-1 leading-tight">
        <div className="flex items-center gap-1.5">
          <h1 className="min-w-0 text-base font-semibold">
            {/* The picture is the same button, with a name of its own. */}
            <button
              type="button"
              tabIndex={-1}
              className="block max-w-full truncate"
              onClick={() => showProfile(peer, standing !== 'open')}
            >
              {title}
            </button>
          </h1>
          <BotMark address={peer} />
          {isCompared && <ComparedSign peer={peer} />}
        </div>
        <p className="flex items-baseline gap-2 text-xs text-muted empty:hidden">
          {title !== shortAddress(peer) && (
            <span className="font-address min-w-0 truncate">{shortAddress(peer)}</span>
          )}
          {peer !== me && <EnsName address={peer} />}
        </p>
      </div>
      <IconButton label="Search this conversation" onClick={() => isBarOpen.set(true)}>
        <Search className="size-5" />
      </IconButton>
      <Menu
        trigger={
          <IconButton label="Conversation options">
            <EllipsisVertical className="size-5" />
          </IconButton>
        }
      >
        <MenuItem icon={<IdCard />} onSelect={() => showProfile(peer, standing !== 'open')}>
          View profile
        </MenuItem>
        <MenuItem icon={<Images />} onSelect={() => isListShown.set(true)}>
          Photos and files
        </MenuItem>
        {peer !== me && (
          <MenuItem icon={<ShieldCheck />} onSelect={() => showNumber(peer)}>
            Verify encryption…
          </MenuItem>
        )}
        {nft ? (
          <MenuItem icon={<ImageIcon />} onSelect={() => void navigate(`/dm/${encodeURIComponent(peer)}`)}>
            Show the whole conversation
          </MenuItem>
        ) : (
          <MenuItem icon={<ImageIcon />} onSelect={() => setAsking('nft')}>
            Talk about an NFT
          </MenuItem>
        )}
        {peer !== me && <ContactMenu peer={peer} title={title} standing={standing} />}
        <MenuLine />
        <MenuItem icon={<Trash2 />} danger onSelect={() => setAsking('delete')}>
          Delete conversation
        </MenuItem>
      </Menu>
      <Suspense>
        {asking === 'nft' && <NftContext peer={peer} title={title} onClose={() => setAsking(undefined)} />}
        {asking === 'delete' && (
          <DeleteConversation peer={peer} title={title} onClose={() => setAsking(undefined)} />
        )}
      </Suspense>
    </header>
  )
}

import {
  Copy,
  EllipsisVertical,
  Flag,
  Images,
  Info,
  LogIn,
  LogOut,
  Search,
  Shield,
  UserPlus,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { HeldLink } from '../chat-moderation/HeldLink.tsx'
import { moderationPath } from '../chat-moderation/paths.ts'
import { MuteItem } from '../contacts/ContactMenu.tsx'
import { askToMute } from '../contacts/muting.ts'
import { isListShown } from '../files/viewed.ts'
import { readInboxAgain } from '../inbox/cache.ts'
import { useRow } from '../inbox/rows.ts'
import { askToReport } from '../moderation/reporting.ts'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { isBarOpen } from '../search/bar.ts'
import { Avatar } from '../seal/Avatar.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/Menu.tsx'
import { Modal } from '../ui/Modal.tsx'
import { copy, showNotice } from '../state/notice.ts'
import { BackLink } from '../ui/BackLink.tsx'
import { Invitation } from './Invitation.tsx'
import { NotifyItem } from './NotifyItem.tsx'
import { useJoined } from './joined.ts'
import { useTitle } from '../state/title.ts'
import { Button } from '../ui/Button.tsx'

interface Props {
  nftaddr: string
  title: string
  subtitle: string
  picture?: string | undefined
  path: string
  about: string
  /** These are more items of the menu. */
  children?: ReactNode
}

export function ChatHeader({ nftaddr, title, subtitle, picture, path, about, children }: Props) {
  const navigate = useNavigate()
  useTitle(title)
  const { joined, change } = useJoined(nftaddr)
  const [isInviting, setInviting] = useState(false)
  const { row } = useRow({ context_type: 'community', addr: nftaddr })
  const unmute = () =>
    client
      .muteChat({ nftaddr, body: { muted_until: null } })
      .then(readInboxAgain, (error: unknown) => showNotice(describeError(error)))
  return (
    <header className="flex h-16 shrink-0 items-center gap-3 border-b border-line bg-surface px-3 sm:px-4">
      <BackLink />
      <Link
        to={about}
        className="-m-1.5 flex min-w-0 flex-1 items-center gap-3 rounded-xl p-1.5 -outline-offset-2 hover:bg-hover"
      >
        <Avatar seed={nftaddr} picture={picture} square />
        <div className="grid min-w-0 leading-tight">
          <h1 className="truncate text-base font-semibold" dir="auto">
            {title}
          </h1>
          <span className="truncate text-sm text-muted">{subtitle}</span>
        </div>
      </Link>
      <HeldLink nftaddr={nftaddr} />
      <JoinButton nftaddr={nftaddr} />
      {joined && (
        <IconButton label="Search this chat" onClick={() => isBarOpen.set(true)}>
          <Search className="size-5" />
        </IconButton>
      )}
      <Menu
        trigger={
          <IconButton label="Chat options">
            <EllipsisVertical className="size-5" />
          </IconButton>
        }
      >
        <MenuItem icon={<UserPlus />} onSelect={() => setInviting(true)}>
          Invite people…
        </MenuItem>
        <MenuItem icon={<Info />} onSelect={() => void navigate(about)}>
          About and members
        </MenuItem>
        <MenuItem icon={<Images />} onSelect={() => isListShown.set(true)}>
          Photos and files
        </MenuItem>
        <MenuItem icon={<Shield />} onSelect={() => void navigate(moderationPath(nftaddr))}>
          Moderation
        </MenuItem>
        {children}
        <MenuItem icon={<Copy />} onSelect={() => void copy(nftaddr, 'Copied')}>
          Copy {nftaddr.startsWith('0x') ? 'contract address' : 'name'}
        </MenuItem>
        <MenuItem icon={<Flag />} onSelect={() => askToReport({ chat: nftaddr, title })}>
          Report this chat…
        </MenuItem>
        {joined && (
          <>
            <MenuLine />
            <NotifyItem nftaddr={nftaddr} />
            <MuteItem
              until={row?.muted_until}
              onMute={() => askToMute({ nftaddr, title })}
              onUnmute={() => void unmute()}
            />
            <MenuItem icon={<LogOut />} danger onSelect={() => change(false)}>
              Leave
            </MenuItem>
          </>
        )}
      </Menu>
      {isInviting && (
        <Modal title="Invite people" onClose={() => setInviting(false)}>
          <Invitation path={path} seed={nftaddr} title={title} variant="primary" />
        </Modal>
      )}
    </header>
  )
}

/** Joins a chat, which adds it to the inbox. It is hidden after that; leaving is in the menu. */
function JoinButton({ nftaddr }: { nftaddr: string }) {
  const { joined, busy, change } = useJoined(nftaddr)
  if (joined !== false) return null
  return (
    <Button
      variant="primary"
      className="!min-h-9 pointer-coarse:!min-h-11 !px-3.5 text-sm"
      busy={busy}
      onClick={() => change(true)}
    >
      <LogIn className="size-4" aria-hidden="true" /> Join
    </Button>
  )
}

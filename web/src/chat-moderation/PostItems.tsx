import { importedFrom } from '@parley/sdk/imported.ts'
import { Hourglass, Megaphone, Trash2, UserX } from 'lucide-react'
import { MenuItem, MenuLine } from '../ui/Menu.tsx'
import type { Message } from '../messages/message.ts'
import { askToAnnounce } from './announcing.ts'
import { askToRestrict } from './restricting.ts'
import { useModerators, useRole } from './roles.ts'

interface Props {
  nftaddr: string
  message: Message
  /** The reader has written it, here or elsewhere. */
  isOwn: boolean
  onRemove: () => void
}

/** Lists what can be done about a post for everybody: by its author, and by those who moderate the chat. */
export function PostItems({ nftaddr, message, isOwn, onRemove }: Props) {
  const { id, mine, fromaddr, author, removed, text } = message
  const role = useRole(nftaddr)
  const { data: moderators = [] } = useModerators(nftaddr)
  const mayRemove = id > 0 && !removed && (isOwn || role !== undefined)
  const mayAnnounce = id > 0 && !removed && mine && role !== undefined && !message.announced
  // A moderator cannot be muted: the role ends first.
  const mayRestrict =
    role !== undefined &&
    !isOwn &&
    importedFrom(fromaddr) === undefined &&
    !moderators.some(({ walletaddr }) => walletaddr === fromaddr)
  if (!mayRemove && !mayRestrict) return null
  const ask = (how: 'mute' | 'ban') => askToRestrict({ nftaddr, wallet: fromaddr, title: author, how })
  return (
    <>
      <MenuLine />
      {mayAnnounce && (
        <MenuItem icon={<Megaphone />} onSelect={() => askToAnnounce({ nftaddr, id, text })}>
          Announce…
        </MenuItem>
      )}
      {mayRemove && (
        <MenuItem icon={<Trash2 />} danger onSelect={onRemove}>
          Remove for everyone
        </MenuItem>
      )}
      {mayRestrict && (
        <>
          <MenuItem icon={<Hourglass />} danger onSelect={() => ask('mute')}>
            Mute in this chat…
          </MenuItem>
          <MenuItem icon={<UserX />} danger onSelect={() => ask('ban')}>
            Ban from this chat…
          </MenuItem>
        </>
      )}
    </>
  )
}

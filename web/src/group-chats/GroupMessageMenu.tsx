import { Copy, IdCard, MessageCircle } from 'lucide-react'
import { useNavigate } from 'react-router'
import { showProfile } from '../names/card.ts'
import { MenuItem } from '../ui/Menu.tsx'
import type { Message } from '../ui/message.ts'
import { copy } from '../ui/notice.ts'

/** The options of a group message: copy it, write to its sender. */
export function GroupMessageMenu({ message: { mine, text, fromaddr } }: { message: Message }) {
  const navigate = useNavigate()
  return (
    <>
      <MenuItem icon={<Copy />} onSelect={() => void copy(text, 'Message copied')}>
        Copy text
      </MenuItem>
      {!mine && (
        <>
          <MenuItem icon={<IdCard />} onSelect={() => showProfile(fromaddr)}>
            Show sender’s profile
          </MenuItem>
          <MenuItem icon={<MessageCircle />} onSelect={() => void navigate(`/dm/${fromaddr}`)}>
            Write to sender
          </MenuItem>
        </>
      )}
    </>
  )
}

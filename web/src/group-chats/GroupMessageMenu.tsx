import { Ban, Copy, Flag, IdCard, MessageCircle } from 'lucide-react'
import { useNavigate, useParams } from 'react-router'
import { PostItems } from '../chat-moderation/PostItems.tsx'
import { decide } from '../contacts/decide.ts'
import { askToReport } from '../moderation/reporting.ts'
import { showProfile } from '../names/card.ts'
import { useMe } from '../service/session.ts'
import { MenuItem, MenuLine } from '../ui/Menu.tsx'
import type { Message } from '../ui/message.ts'
import { copy } from '../ui/notice.ts'
import { removePost } from './removal.ts'

/** The options of a group message: copy it, write to its sender, block them, remove it. */
export function GroupMessageMenu({ message }: { message: Message }) {
  const { id, mine, text, fromaddr, author } = message
  const me = useMe()
  const navigate = useNavigate()
  const { nftaddr = '', community = '' } = useParams()
  const chat = community || nftaddr
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
          <MenuLine />
          <MenuItem
            icon={<Ban />}
            danger
            onSelect={() => void decide('block', { me, peer: fromaddr, title: author, before: 'unknown' })}
          >
            Block sender
          </MenuItem>
          <MenuItem
            icon={<Flag />}
            danger
            onSelect={() => askToReport({ peer: fromaddr, title: author, id, isPost: true })}
          >
            Report…
          </MenuItem>
        </>
      )}
      <PostItems nftaddr={chat} message={message} onRemove={() => removePost(chat, id, mine)} />
    </>
  )
}

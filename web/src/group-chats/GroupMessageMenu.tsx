import { importedFrom } from '@parley/sdk/imported.ts'
import { Ban, Flag, IdCard, MessageCircle } from 'lucide-react'
import { useNavigate, useParams } from 'react-router'
import { PostItems } from '../chat-moderation/PostItems.tsx'
import { decide } from '../contacts/decide.ts'
import { UploadItems } from '../files/UploadItems.tsx'
import { askToReport } from '../moderation/reporting.ts'
import { useClaim } from '../names/imported-claims.ts'
import { showProfile } from '../names/shown-profile.ts'
import { useMe } from '../service/session.ts'
import { ChangeItems } from '../thread/ChangeItems.tsx'
import { CopyItems } from '../thread/CopyItems.tsx'
import { MenuItem, MenuLine } from '../ui/Menu.tsx'
import type { Message } from '../messages/message.ts'
import { readInboxAgain } from '../inbox/cache.ts'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { emptyPost } from '../thread/posts.ts'
import { showNotice, showUndo } from '../state/notice.ts'

/** Lists the options of a group message: copy it, write to its sender, block them, remove it. */
export function GroupMessageMenu({ message }: { message: Message }) {
  const { id, mine, text, fromaddr, author } = message
  const me = useMe()
  const isImported = importedFrom(fromaddr) !== undefined
  const isOwn = useClaim(fromaddr)?.walletaddr === me || mine
  const navigate = useNavigate()
  const { nftaddr = '', community = '' } = useParams()
  const chat = community || nftaddr
  return (
    <>
      <UploadItems message={message} />
      <ChangeItems message={message} />
      <CopyItems text={text} />
      {!mine && (
        <>
          <MenuItem icon={<IdCard />} onSelect={() => showProfile(fromaddr)}>
            View profile
          </MenuItem>
          {!isImported && (
            <MenuItem icon={<MessageCircle />} onSelect={() => void navigate(`/dm/${fromaddr}`)}>
              <span className="truncate">Message {author}</span>
            </MenuItem>
          )}
          <MenuLine />
          <MenuItem
            icon={<Ban />}
            danger
            onSelect={() => void decide('block', { me, peer: fromaddr, title: author, before: 'unknown' })}
          >
            <span className="truncate">Block {author}</span>
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
      <PostItems
        nftaddr={chat}
        message={message}
        isOwn={isOwn}
        onRemove={() => removePost(chat, id, isOwn)}
      />
    </>
  )
}

/** Removes a post for everybody, unless that is undone within some seconds. */
function removePost(nftaddr: string, id: number, mine: boolean): void {
  const act = async () => {
    try {
      await client.removePost({ nftaddr, id })
      emptyPost(id, mine ? 'author' : 'moderator')
      readInboxAgain()
    } catch (error) {
      showNotice(`Couldn’t remove the message. ${describeError(error)}`)
    }
  }
  showUndo(
    'Removed for everyone.',
    () => void act(),
    () => {},
  )
}

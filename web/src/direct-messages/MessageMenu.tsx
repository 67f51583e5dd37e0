import { EyeOff, Flag, Trash2 } from 'lucide-react'
import { UploadItems } from '../files/UploadItems.tsx'
import { askToReport } from '../moderation/reporting.ts'
import { ChangeItems } from '../thread/ChangeItems.tsx'
import { CopyItems } from '../thread/CopyItems.tsx'
import { MenuItem, MenuLine } from '../ui/Menu.tsx'
import type { Message } from '../messages/message.ts'
import { deleteMessage } from './deletions.ts'

/** Lists the options of a message: copy it, delete it for oneself, or for both when the reader sent it. */
export function MessageMenu({ message }: { message: Message }) {
  const { id, mine, text, fromaddr, author } = message
  return (
    <>
      <UploadItems message={message} />
      <ChangeItems message={message} />
      <CopyItems text={text} />
      {id > 0 && (
        <>
          <MenuLine />
          <MenuItem icon={<EyeOff />} onSelect={() => deleteMessage(id, 'mine')}>
            Delete for me
          </MenuItem>
          {!mine && (
            <MenuItem
              icon={<Flag />}
              danger
              onSelect={() => askToReport({ peer: fromaddr, title: author, id })}
            >
              Report…
            </MenuItem>
          )}
          {mine && (
            <MenuItem icon={<Trash2 />} danger onSelect={() => deleteMessage(id, 'both')}>
              Delete for everyone
            </MenuItem>
          )}
        </>
      )}
    </>
  )
}

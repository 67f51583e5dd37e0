import { Copy, Trash2 } from 'lucide-react'
import { client } from '../service/api.ts'
import { readInboxAgain } from '../inbox/cache.ts'
import { MenuItem } from '../ui/Menu.tsx'
import type { Message } from '../ui/message.ts'
import { copy, showNotice } from '../ui/notice.ts'
import { removeMessage } from '../thread/direct-messages.ts'

/** The options of a message: copy it, and delete it when the reader sent it. */
export function MessageMenu({ message: { id, mine, text } }: { message: Message }) {
  const remove = async () => {
    try {
      await client.deleteDirectMessage({ id })
      removeMessage(id)
      readInboxAgain()
    } catch {
      showNotice('The message could not be deleted. Try again.')
    }
  }
  return (
    <>
      <MenuItem icon={<Copy />} onSelect={() => void copy(text, 'Message copied')}>
        Copy text
      </MenuItem>
      {mine && id > 0 && (
        <MenuItem icon={<Trash2 />} danger onSelect={() => void remove()}>
          Delete for both
        </MenuItem>
      )}
    </>
  )
}

import type { InboxItem } from '@parley/sdk'
import type { FileItem } from '@parley/sdk/contract/files.ts'
import { Lock, LockOpen } from 'lucide-react'
import { plainFiles } from '../files/of-messages.ts'
import { type Readable, useReadable } from '../keys/state/readable.ts'
import { onOneLine } from '../messages/format.ts'
import { withHosts } from '../messages/links.ts'
import { saidOfFiles } from '../messages/said.ts'
import { itemsBeside } from '../thread/history.ts'

/** Shows the last message on one line; in a stranger's message, each link is replaced by its host. */
export function Preview({ row, linksOff = false }: { row: InboxItem; linksOff?: boolean }) {
  const readable = useReadable()
  // A message that was cut cannot be decrypted; the conversation has all of it.
  const isCut = row.truncated && row.encrypted_sym_x_key !== ''
  const read: Readable = isCut ? { text: 'Encrypted message', lock: 'closed' } : readable(row)
  const { text, lock, repeated } = read
  const line = saidOf(row, read) ?? onOneLine(linksOff ? withHosts(text) : text)
  return (
    <>
      {lock === 'closed' && (
        <Lock className="me-1 inline size-3 align-baseline" role="img" aria-label="Encrypted" />
      )}
      {lock === 'broken' && <LockOpen className="me-1 inline size-3 align-baseline" aria-hidden="true" />}
      {repeated && 'Sent before: '}
      {lock === 'broken' ? 'Encrypted message' : line.slice(0, 200)}
    </>
  )
}

/** Returns what stands for a last message that has files and no other text; undefined where that is not known. */
function saidOf(row: InboxItem & { files?: FileItem[] }, { text, content }: Readable): string | undefined {
  if (content) return saidOfFiles({ text, files: content.files, unreadableFiles: content.unreadable })
  // The text of such a message ends as a name of a file does.
  if (!/\.\w{1,12}$/.test(text)) return undefined
  const name = row.context_type === 'dm' ? 'listConversation' : 'listGroupMessages'
  // A row that came by an event has its files; for another one the conversation has them, where it was read here.
  const files = row.files ?? itemsBeside(name, row.id).find(({ id }) => id === row.id)?.files
  return saidOfFiles({ text, ...plainFiles(files) })
}

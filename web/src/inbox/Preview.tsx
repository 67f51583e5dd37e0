import type { InboxItem } from '@parley/sdk'
import { Lock, LockOpen } from 'lucide-react'
import { plainFiles } from '../files/of-messages.ts'
import { type Readable, useReadable } from '../keys/state/readable.ts'
import { onOneLine } from '../messages/format.ts'
import { withHosts } from '../messages/links.ts'
import { saidOfFiles } from '../messages/said.ts'

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

/** Returns what stands for a last message that has files and no other text. */
function saidOf({ files }: InboxItem, { text, content }: Readable): string | undefined {
  return content
    ? saidOfFiles({ text, files: content.files, unreadableFiles: content.unreadable })
    : saidOfFiles({ text, ...plainFiles(files) })
}

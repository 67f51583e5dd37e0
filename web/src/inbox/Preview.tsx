import type { InboxItem } from '@parley/sdk'
import { Lock, LockOpen } from 'lucide-react'
import { useReadable } from '../keys/state/readable.ts'
import { onOneLine } from '../messages/format.ts'
import { withHosts } from '../messages/links.ts'

/** Shows the last message on one line; in a stranger's message, each link is replaced by its host. */
export function Preview({ row, linksOff = false }: { row: InboxItem; linksOff?: boolean }) {
  const readable = useReadable()
  // A message that was cut cannot be decrypted; the conversation has all of it.
  const isCut = row.truncated && row.encrypted_sym_x_key !== ''
  const { text, lock, repeated } = isCut
    ? ({ text: 'Encrypted message', lock: 'closed', repeated: false } as const)
    : readable(row)
  return (
    <>
      {lock === 'closed' && (
        <Lock className="me-1 inline size-3 align-baseline" role="img" aria-label="Encrypted" />
      )}
      {lock === 'broken' && <LockOpen className="me-1 inline size-3 align-baseline" aria-hidden="true" />}
      {repeated && 'Sent before: '}
      {lock === 'broken' ? 'Encrypted message' : onOneLine(linksOff ? withHosts(text) : text).slice(0, 200)}
    </>
  )
}

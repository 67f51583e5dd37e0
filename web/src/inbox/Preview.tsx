import type { InboxItem } from '@parley/sdk'
import { Lock, LockOpen } from 'lucide-react'
import { useReadable } from '../keys/readable.ts'

/** The last message on one line. */
export function Preview({ row }: { row: InboxItem }) {
  const readable = useReadable()
  // What was cut cannot be opened; the conversation has all of it.
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
      {lock === 'broken' ? 'Encrypted message' : text.slice(0, 200)}
    </>
  )
}

import type { InboxItem } from '@parley/sdk'
import { Lock } from 'lucide-react'
import { useReadable } from '../keys/readable.ts'

/** The last message on one line. */
export function Preview({ row }: { row: InboxItem }) {
  const { text, lock } = useReadable()(row)
  return (
    <>
      {lock && <Lock className="me-1 inline size-3 align-baseline" role="img" aria-label="Encrypted" />}
      {lock === 'broken' ? 'Encrypted message' : text.slice(0, 200)}
    </>
  )
}

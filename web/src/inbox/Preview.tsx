import type { InboxItem } from '@parley/sdk'

/** The last message on one line. */
export function Preview({ row }: { row: InboxItem }) {
  return row.message.slice(0, 200)
}

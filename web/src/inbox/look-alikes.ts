import { useMe } from '../service/session.ts'
import { looksAlike } from '../ui/address.ts'
import { peerOf } from './cache.ts'
import { titleOf, useInbox } from './rows.ts'

/** A wallet that could be taken for another. */
export interface LookAlike {
  address: string
  /** What the reader knows it by. */
  title: string
}

/**
 * The wallet that the reader knows, themselves included, with the same first and last digits as an
 * address; undefined when there is none.
 */
export function useLookAlike(address: string): LookAlike | undefined {
  const me = useMe()
  const { data: rows = [] } = useInbox()
  if (looksAlike(address, me)) return { address: me, title: 'your own wallet' }
  const row = rows.find((one) => one.context_type === 'dm' && looksAlike(address, peerOf(one, me)))
  return row && { address: peerOf(row, me), title: titleOf(row, me) }
}

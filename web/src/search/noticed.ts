// Changes of messages that events bring, and what lists have, for the search on this device, which loads later.

import type { Change, Listed } from './source.ts'

let listener: ((change: Change) => boolean) | undefined

/** Nobody has taken these lists: they were read before the search was loaded, or before the keys were open. */
let early: Listed[] = []
const mostEarly = 50

/** Calls back with each change from now on; the callback returns whether it has taken it. */
export const onNoticed = (callback: (change: Change) => boolean): void => void (listener = callback)

export function notice(change: Change): void {
  const isTaken = listener?.(change)
  if (!isTaken && change !== 'missed' && 'listed' in change) early = [...early, change].slice(-mostEarly)
}

/** Hands out the lists that nobody has taken. Of other changes the search reads the present state. */
export function takeEarly(): Listed[] {
  const lists = early
  early = []
  return lists
}

/** What a page of a list was asked for. */
interface Asked {
  limit: number
  before?: number
  after?: number
}

/** Notices a page of a conversation, oldest first: messages between those that it has are gone. */
export function noticePage(
  { fromaddr: me, toaddr: peer }: { fromaddr: string; toaddr: string },
  { limit, before, after }: Asked,
  items: readonly { id: number }[],
): void {
  const [first, last] = [items[0]?.id, items.at(-1)?.id]
  const isWhole = items.length < limit
  const from = after === undefined ? (isWhole ? 0 : first!) : after + 1
  // What is newer than the end of a conversation may just have arrived.
  const to = before === undefined || before === Number.MAX_SAFE_INTEGER ? last : before - 1
  if (to !== undefined) notice({ listed: new Set(items.map(({ id }) => id)), me, peer, from, to })
}

// What events change in messages.

import type { Change, Item, Sent } from './thread.ts'

/** The fields of a message that an edit counts up, and those that the event of an edit lacks. */
interface Editable extends Item {
  revision?: number
  reactions?: readonly unknown[]
  pinned?: true
}

/** Changes nothing. */
export const none = <Of extends Item>(items: readonly Sent<Of>[]): readonly Sent<Of>[] => items

/** Returns a change by which each message may become another. */
export const mapped =
  <Of extends Item>(by: (item: Sent<Of>) => Sent<Of>): Change<Of> =>
  (items) => {
    const next = items.map(by)
    return next.some((item, at) => item !== items[at]) ? next : items
  }

/** Returns a message as an event says that it is edited; what is shown may be newer. */
export function edited<Of extends Editable>(old: Sent<Of>, item: Of): Sent<Of> {
  if ((old.revision ?? 0) > (item.revision ?? 0)) return old
  // An event has neither reactions nor pins.
  const { reactions, pinned, status, key } = old
  return { ...item, status, key, ...(reactions && { reactions }), ...(pinned && { pinned }) }
}

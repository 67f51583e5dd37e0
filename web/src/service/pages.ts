// Histories are cached as pages.

import type { InfiniteData } from '@tanstack/react-query'

/** A page is the newest messages before an id, with a limit. */
export interface Page {
  before: number
  limit: number
}

/** This is a history as it is cached. */
export type Pages<Item> = InfiniteData<Item[], Page> & {
  /**
   * The service sent it at this time; it is set when the history comes from the store of this device (offline/store-responses.ts).
   */
  storedAt?: number
}

export const pageSize = 50
/** At most this many messages are read at once, and this many before the first unread one. */
export const largestPage = 500
const context = 30

/** Returns how many messages to read, to reach the first of the unread ones, of which some may be here. */
export const limitFor = (unread: number, here = 0): number =>
  unread <= here ? pageSize : Math.min(Math.max(unread - here + context, pageSize), largestPage)

/** Removes items for which `change` returns undefined. Returns the same pages when nothing changes. */
export function mapItems<Item>(data: Pages<Item>, change: (item: Item) => Item | undefined): Pages<Item> {
  let isSame = true
  const pages = data.pages.map((page) =>
    page.flatMap((item) => {
      const changed = change(item)
      isSame &&= changed === item
      return changed ?? []
    }),
  )
  return isSame ? data : { ...data, pages }
}

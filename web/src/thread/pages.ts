// Histories are cached as pages.

import type { InfiniteData } from '@tanstack/react-query'

/** A page: the newest messages before an id, at most so many. */
export interface Page {
  before: number
  limit: number
}

/** A history as it is cached. */
export type Pages<Item> = InfiniteData<Item[], Page> & {
  /** When the service gave it, where it is shown from what this device has kept (kept/keep.ts). */
  kept?: number
}

export const pageSize = 50
/** How many messages are read at once at most, and how many before the first unread one. */
const largestPage = 500
const context = 30

/** How many messages to read, to reach the first of some unread ones, of which some may be here. */
export const limitFor = (unread: number, here = 0): number =>
  unread <= here ? pageSize : Math.min(Math.max(unread - here + context, pageSize), largestPage)

/** Those for which `change` answers undefined are removed. Answers the same pages where nothing changes. */
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

// Histories are cached as pages.

import type { InfiniteData } from '@tanstack/react-query'

/** A page: the newest messages before an id, at most so many. */
export interface Page {
  before: number
  limit: number
}

const pageSize = 50
/** How many messages are read at once at most, and how many before the first unread one. */
const largestPage = 500
const context = 30

/** How many messages to read, to reach the first of some unread ones, of which some may be here. */
export const limitFor = (unread: number, here = 0): number =>
  unread <= here ? pageSize : Math.min(Math.max(unread - here + context, pageSize), largestPage)

/** Those for which `change` answers undefined are removed. */
export const mapItems = <Item>(
  data: InfiniteData<Item[], Page>,
  change: (item: Item) => Item | undefined,
): InfiniteData<Item[], Page> => ({
  ...data,
  pages: data.pages.map((page) => page.map(change).filter((item) => item !== undefined)),
})

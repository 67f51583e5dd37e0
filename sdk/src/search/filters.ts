// Which messages a search with filters may find. The service and a browser use this one module, each for the messages that it reads.

import type { SearchFor } from '../contract/search.ts'
import { linksIn } from '../links.ts'

/** Of several filters all must fit. */
export interface Filters {
  /** The other wallet of the conversation. */
  peer?: string | undefined
  from?: string | undefined
  nftaddr?: string | undefined
  has?: Has | undefined
  /** These are epoch milliseconds; the end is excluded. */
  since?: number | undefined
  until?: number | undefined
  /** Only messages with a smaller id. */
  before?: number | undefined
}

export type Has = NonNullable<SearchFor['has']>

/** A message, as filters see it. A post of a chat has no `peer`. */
export interface Filterable {
  id: number
  time: number
  from: string
  peer?: string | undefined
  nftaddr?: string | undefined
  has: (what: Has) => boolean
}

export const fits = ({ peer, from, nftaddr, has, since, until, before }: Filters, one: Filterable): boolean =>
  (peer === undefined || one.peer === peer) &&
  (from === undefined || one.from === from) &&
  (nftaddr === undefined || one.nftaddr === nftaddr) &&
  (since === undefined || one.time >= since) &&
  (until === undefined || one.time < until) &&
  (before === undefined || one.id < before) &&
  (has === undefined || one.has(has))

/** Says what a message has: its texts are its text and the names of its files. */
export function hasOf(
  what: Has,
  texts: readonly string[],
  files: readonly { type?: string | undefined }[],
): boolean {
  if (what === 'link') return texts.some((text) => linksIn(text).length > 0)
  return what === 'file' ? files.length > 0 : files.some(({ type }) => type?.startsWith('image/'))
}

// This file decides which responses of the service are stored, and how much of each. The cache holds responses as they
// came: the texts of encrypted messages are decrypted elsewhere (keys/state/readable.ts), in memory.

import type { InboxItem } from '@parley/sdk'
import type { QueryKey } from '@tanstack/react-query'
import { peerOf } from '../names/peer.ts'
import type { HistoryName } from '../thread/history.ts'
import { type Pages, pageSize } from '../service/pages.ts'
import type { Kind } from '../device-store/store.ts'

const histories = new Set<unknown>([
  'listConversation',
  'listNftConversation',
  'listGroupMessages',
] satisfies HistoryName[])
const small = new Set<unknown>([
  'getName',
  'getPicture',
  'getKey',
  'getCommunity',
  'getConversation',
  'hasJoined',
])

/** Returns true when it is shown only without the service: it decides whether a message is encrypted. */
export const isLastResort = ([name]: QueryKey): boolean => name === 'getKey'

/** Returns the kind of a query; undefined when it is not stored. */
export function kindOf([name, first]: QueryKey): Kind | undefined {
  if (name === 'getInbox') return isMain(first) ? 'rows' : undefined
  if (first === 'history') return histories.has(name) ? 'history' : undefined
  // These are the reader's names for others, and the wallets they have blocked.
  if (name === 'listContacts') return first === 'chosen' ? 'small' : undefined
  return small.has(name) ? 'small' : undefined
}

/** Requests have a list of their own, which is not stored. */
const isMain = (input: unknown) => (input as { query?: { view?: string } }).query?.view === 'main'

/** These are the limits of messages and rows, and of characters: of a history, of the inbox, of anything else. */
const most = { messages: 100, history: 300_000, rows: 200, inbox: 400_000, small: 60_000 }

export const sizeOf = (value: unknown): number =>
  JSON.stringify(value instanceof Map || value instanceof Set ? [...value] : value).length

/** Returns the first items of a list that fit. */
function fitting<Item>(items: Item[], count: number, size: number): Item[] {
  const sizes = items.slice(0, count).map(sizeOf)
  let sum = 0
  const end = sizes.findIndex((one) => (sum += one) > size)
  return items.slice(0, end < 0 ? count : end)
}

/** Returns the part of a response to store; undefined when it is too large. */
export function worthKeeping(kind: Kind, data: unknown): unknown {
  if (kind === 'rows') return fitting(data as InboxItem[], most.rows, most.inbox)
  if (kind === 'history') return newest(data as Pages<unknown>)
  return sizeOf(data) <= most.small ? data : undefined
}

/** Returns the newest messages as one page. */
function newest({ pages, pageParams }: Pages<unknown>): Pages<unknown> {
  const whole = pages.toReversed().flat()
  const items = fitting(whole.toReversed(), most.messages, most.history).toReversed()
  const isWhole = items.length === whole.length && (pages.at(-1)?.length ?? 0) < pageParams.at(-1)!.limit
  // A page that is not full is the last one.
  const limit = isWhole ? Math.max(pageSize, items.length + 1) : items.length
  return { pages: [items], pageParams: [{ before: Number.MAX_SAFE_INTEGER, limit }] }
}

/**
 * Returns true when the conversation or chat of a history is in the inbox: others may have been ignored, blocked or
 * left.
 */
export function isInInbox(key: QueryKey, rows: InboxItem[], me: string): boolean {
  const { toaddr, address } = key[2] as { toaddr?: string; address?: string }
  return rows.some((row) =>
    row.context_type === 'dm'
      ? peerOf(row, me) === toaddr
      : row.nftaddr.toLowerCase() === address?.toLowerCase(),
  )
}

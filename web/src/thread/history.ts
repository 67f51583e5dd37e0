// Histories are read from their end upwards, a page at a time, and cached as pages: the newest page
// first, each page oldest first. Messages that are sent or arrive are added to the newest page, so
// that nothing is read twice.

import type { ChatItem, Comment, GroupChatItem } from '@parley/sdk'
import { hashKey, type Query } from '@tanstack/react-query'
import { directHistories } from '../device-store/forget.ts'
import { cache } from '../service/api.ts'
import { mapItems, type Pages } from '../service/pages.ts'

export interface Items {
  listConversation: ChatItem
  listNftConversation: ChatItem
  listGroupMessages: GroupChatItem
  listComments: Comment
}
export type HistoryName = keyof Items

interface Inputs {
  listConversation: { fromaddr: string; toaddr: string }
  listNftConversation: { fromaddr: string; toaddr: string; nftaddr: string; nftid: string }
  listGroupMessages: { address: string; useraddress: string }
  listComments: { nftaddr: string; nftid: string }
}

export type HistoryOf<Name extends HistoryName> = { [One in Name]: { name: One; input: Inputs[One] } }[Name]

/** A history has an endpoint and path values. */
export type History = HistoryOf<HistoryName>

export interface Nft {
  nftaddr: string
  nftid: string
}

/** What is read of a history from its end, and what is read of it around a message, are cached under these keys. */
export const historyKey = ({ name, input }: History) => [name, 'history', input]
export const partKey = ({ name, input }: History, around: number) => [name, 'part', input, around]

/** Finds all that is cached of histories. */
const cachedOf = (name: HistoryName) => ({
  predicate: ({ queryKey: [of, kind] }: Query) => of === name && (kind === 'history' || kind === 'part'),
})

/** Returns the histories of a message between two wallets: all their messages, and those about the same NFT. */
export function conversationHistories(
  me: string,
  peer: string,
  nft: Nft | undefined,
): HistoryOf<'listConversation' | 'listNftConversation'>[] {
  const pair = { fromaddr: me, toaddr: peer }
  const whole = { name: 'listConversation', input: pair } as const
  return nft ? [whole, { name: 'listNftConversation', input: { ...pair, ...nft } }] : [whole]
}

export const groupHistory = (nftaddr: string, me: string): HistoryOf<'listGroupMessages'> => ({
  name: 'listGroupMessages',
  input: { address: nftaddr, useraddress: me },
})

function historiesOf(item: ChatItem | GroupChatItem, me: string): History[] {
  if (!('toaddr' in item)) return [groupHistory(item.nftaddr, me)]
  const { fromaddr, toaddr, nftaddr, nftid } = item
  const peer = fromaddr === me ? toaddr : fromaddr
  return conversationHistories(me, peer, nftaddr && nftid ? { nftaddr, nftid } : undefined)
}

/**
 * Adds a message that was sent or has arrived to a history, if that is cached. One of the same id
 * is replaced.
 */
export function insertItem(history: History, item: Items[HistoryName]): void {
  const queryKey = historyKey(history)
  // A read in progress may be older than the message and would remove it again.
  if (cache.isFetching({ queryKey, exact: true }) > 0) void cache.invalidateQueries({ queryKey, exact: true })
  cache.setQueryData<Pages<Items[HistoryName]>>(queryKey, (data) => {
    if (!data?.pages[0]) return data
    const isItem = ({ id }: { id: number }) => id === item.id
    if (data.pages.flat().some(isItem)) return mapItems(data, (old) => (isItem(old) ? item : old))
    const newest = [...data.pages[0], item].toSorted((a, b) => a.id - b.id)
    return { ...data, pages: [newest, ...data.pages.slice(1)] }
  })
}

// A message of this wallet that an event brings may be an entry of the outbox whose response has not come yet, or it
// was sent on another device. The event does not say which, and two messages may have the same text; only the response
// has the id. So a message with the text of an entry is held until the response for that entry. If it was that one, its
// response has inserted it by then, and inserting the same id again adds nothing.

/** This entry of the outbox has no response yet. */
interface Unanswered {
  id: string
  histories: History[]
  body: { message: string }
  /** It had these before, and each may have been sent. */
  earlier?: { body: object }[]
}

interface Held {
  history: History
  item: Items[HistoryName]
  /** The message may be one of the entries with these ids. */
  entries: string[]
}

let unanswered: Unanswered[] = []
let held: Held[] = []

/** Sets the entries of the outbox that are neither acknowledged nor refused. */
export function setUnanswered(entries: Unanswered[]): void {
  unanswered = entries
  const before = held
  held = before.filter((one) => unanswered.some(({ id }) => one.entries.includes(id)))
  for (const one of before) if (!held.includes(one)) insertItem(one.history, one.item)
}

/** Adds a message of an event to its histories: at once, or later when it may be in the outbox. */
export function insertArrived(item: ChatItem | GroupChatItem, me: string): void {
  for (const history of historiesOf(item, me)) {
    const entries = item.fromaddr === me ? unansweredLike(item, history) : []
    if (entries.length > 0) held.push({ history, item, entries })
    else insertItem(history, item)
  }
}

function unansweredLike({ message }: ChatItem | GroupChatItem, history: History): string[] {
  const key = hashKey([history])
  return unanswered
    .filter(({ histories }) => histories.some((one) => hashKey([one]) === key))
    .filter(({ body, earlier = [] }) =>
      [{ body }, ...earlier].some((one) => (one.body as { message?: string }).message === message),
    )
    .map(({ id }) => id)
}

/** A read in progress may be older than the removal, and would bring the removed items back. */
export function readAgainWhileReading(name: HistoryName): void {
  void cache.invalidateQueries({ ...cachedOf(name), fetchStatus: 'fetching' })
}

/** Returns the cached items of a history, oldest first. */
export const itemsIn = (history: History): Items[HistoryName][] =>
  cache.getQueryData<Pages<Items[HistoryName]>>(historyKey(history))?.pages.toReversed().flat() ?? []

/** Returns the cached items of the history that has a message. */
export const itemsBeside = <Name extends HistoryName>(name: Name, id: number): Items[Name][] =>
  cache
    .getQueriesData<Pages<Items[Name]>>(cachedOf(name))
    .map(([, data]) => data?.pages.toReversed().flat() ?? [])
    .find((items) => items.some((item) => item.id === id)) ?? []

/** Returns true when somebody has a message in a cached history. */
export const hasMessageOf = (history: History, fromaddr: string): boolean =>
  itemsIn(history).some((item) => item.fromaddr === fromaddr)

/**
 * Changes messages of a kind, in every cached history and among those that are held. Those for which `change` returns
 * undefined are removed.
 */
export function changeItems<Name extends HistoryName>(
  name: Name,
  change: (item: Items[Name]) => Items[Name] | undefined,
): void {
  cache.setQueriesData<Pages<Items[Name]>>(cachedOf(name), (data) => {
    const changed = data && mapItems(data, change)
    // Undefined leaves it as it is, and the time at which it was read.
    return changed === data ? undefined : changed
  })
  held = held.filter((one) => {
    if (one.history.name !== name) return true
    const item = change(one.item as Items[Name])
    if (item) one.item = item
    return item !== undefined
  })
}

/** Changes a message of any kind in each cached history. A read in progress may be older than the change. */
export function changeMessage(id: number, change: (item: ChatItem | GroupChatItem) => object): void {
  const changed = <One extends ChatItem | GroupChatItem>(item: One): One =>
    item.id === id ? (change(item) as One) : item
  for (const name of directHistories) {
    changeItems(name, changed)
    readAgainWhileReading(name)
  }
  changeItems('listGroupMessages', changed)
  readAgainWhileReading('listGroupMessages')
}

/** Puts the present text of a message into each cached history. A version that is older than the cached one changes nothing. */
export const replaceItem = (item: ChatItem | GroupChatItem): void =>
  changeMessage(item.id, (old) => {
    if ((old.revision ?? 0) > (item.revision ?? 0)) return old
    // An event has no reactions and pins.
    const { reactions, pinned } = old
    return { ...item, ...(reactions && { reactions }), ...(pinned && { pinned }) }
  })

// This is the cached inbox. New messages and reads change its rows in place; when the data here is not enough for that,
// the inbox is read again.

import { peerOf } from '../names/peer.ts'
import type { ChatItem, GroupChatItem, InboxItem, NewChatItem } from '@parley/sdk'
import { keepContact, stateOf } from '../names/contact.ts'
import { nameOf } from '../names/profile.ts'
import { cache, inboxQuery } from '../service/api.ts'
import { currentAccount } from '../service/session.ts'
import { communityPath } from '@parley/sdk/chat-path.ts'

/** A place is a conversation with a wallet or a chat, as the inbox lists it. */
export interface Place {
  context_type: InboxItem['context_type']
  /** This is the address of the peer or the chat. */
  addr: string
}

export const isPlaceOf = ({ context_type, addr }: Place, row: InboxItem, me: string): boolean =>
  context_type === 'dm'
    ? row.context_type === 'dm' && peerOf(row, me) === addr
    : row.context_type !== 'dm' && row.nftaddr.toLowerCase() === addr.toLowerCase()

export const pathAt = ({ context_type, addr }: Place): string =>
  context_type === 'community'
    ? communityPath(addr)
    : `/${context_type === 'dm' ? 'dm' : 'nft'}/${encodeURIComponent(addr)}`

const placeOf = (item: ChatItem | GroupChatItem, me: string): Place =>
  'toaddr' in item
    ? { context_type: 'dm', addr: peerOf(item, me) }
    : { context_type: item.context_type, addr: item.nftaddr }

const keyOf = (me: string) => inboxQuery(me).queryKey

export const rowOf = (place: Place, me: string): InboxItem | undefined =>
  cache.getQueryData(keyOf(me))?.find((row) => isPlaceOf(place, row, me))

/** These fields are optional. */
type Optional<Item> = { [Name in keyof Item]-?: undefined extends Item[Name] ? Name : never }[keyof Item]

/** A message may omit these fields. A row has all of them. */
const blanks: Record<Exclude<Optional<NewChatItem>, 'reply_to' | 'files'>, ''> = {
  nftaddr: '',
  nftid: '',
  encrypted_sym_x_key: '',
  x_access_conditions: '',
}

/**
 * Puts a new message into its row and moves the row to the top. `isSeen` says that the reader sees it where it arrives,
 * so that it does not count as unread.
 */
export function moveRow(item: ChatItem | GroupChatItem, me: string, isSeen: boolean): void {
  // A read in progress may be older than the message.
  if (cache.isFetching({ queryKey: ['getInbox'] }) > 0) readInboxAgain()
  const place = placeOf(item, me)
  const known = rowOf(place, me)
  // An event may arrive twice.
  if (known && known.id >= item.id) return
  const { context_type, addr } = place
  if (!known && context_type === 'dm' && item.fromaddr !== me)
    return void placeStranger(item, addr, me, isSeen).catch(readInboxAgain)
  if (!known && context_type === 'dm' && addr !== me) {
    // A wallet that writes to another accepts it.
    keepContact({ peer: addr, state: 'accepted' })
    readRequestsAgain()
  }
  const row = known ?? (context_type === 'dm' ? newRow({ context_type, addr }) : undefined)
  if (!row) return readInboxAgain()
  putMessage(item, row, known, me, isSeen)
}

/** Makes a message of somebody who is not in the inbox a request, unless the reader has accepted them before. */
async function placeStranger(
  item: ChatItem | GroupChatItem,
  addr: string,
  me: string,
  isSeen: boolean,
): Promise<void> {
  readRequestsAgain()
  const state = await stateOf(addr)
  if (state !== 'accepted' || currentAccount()?.address !== me) return
  const known = rowOf({ context_type: 'dm', addr }, me)
  if (!known || known.id < item.id)
    putMessage(item, known ?? newRow({ context_type: 'dm', addr }), known, me, isSeen)
}

function putMessage(
  item: ChatItem | GroupChatItem,
  row: InboxItem,
  known: InboxItem | undefined,
  me: string,
  isSeen: boolean,
): void {
  const isUnread = item.fromaddr !== me && !isSeen && !('read' in item && item.read)
  const name = row.context_type === 'dm' && item.fromaddr !== me ? item.sender_name : row.name
  const { truncated: _, files: _files, ...rest } = row
  const moved = { ...rest, ...blanks, ...item, name, unread: row.unread + (isUnread ? 1 : 0) }
  cache.setQueryData(keyOf(me), (rows) => rows && [moved, ...rows.filter((one) => one !== known)])
}

/** Returns the row of a conversation that begins, or of a chat that was not joined yet. */
export const newRow = ({ context_type, addr }: Place): InboxItem => ({
  ...blanks,
  id: 0,
  context_type,
  type: 'message',
  chain: '',
  fromaddr: '',
  toaddr: '',
  message: '',
  read: false,
  unread: 0,
  sender_name: '',
  name: context_type === 'dm' ? (nameOf(addr) ?? '') : '',
  ...(context_type !== 'dm' && { nftaddr: addr }),
  logo: '',
  timestamp: '',
  timestamp_dtm: '',
  state: 'accepted',
})

/** Changes the row of a conversation or chat, if it is cached. */
export function changeRow(place: Place, me: string, change: (row: InboxItem) => Partial<InboxItem>): void {
  placeRow(place, me, (row) => ({ ...row, ...change(row) }))
}

/** Replaces the row of a conversation or chat, if it is cached, or removes it. */
export function placeRow(place: Place, me: string, change: (row: InboxItem) => InboxItem | undefined): void {
  cache.setQueryData(keyOf(me), (rows) =>
    rows?.flatMap((row) => (isPlaceOf(place, row, me) ? (change(row) ?? []) : [row])),
  )
}

let timer: ReturnType<typeof setTimeout> | undefined

/** Reads the inbox again soon. Several calls within 150 ms are one request. */
export function readInboxAgain(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void cache.invalidateQueries({ queryKey: ['getInbox'] }), 150)
  readRequestsAgain()
}

let requestsTimer: ReturnType<typeof setTimeout> | undefined

/** Reads the requests again soon: their number, and their list when it is open. */
export function readRequestsAgain(): void {
  clearTimeout(requestsTimer)
  requestsTimer = setTimeout(() => void cache.invalidateQueries({ queryKey: ['requests'] }), 150)
}

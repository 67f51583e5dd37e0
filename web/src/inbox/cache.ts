// The cached inbox. Messages and what was read change its rows in place; where that cannot be said
// from what is known here, the inbox is read again.

import type { ChatItem, GroupChatItem, InboxItem } from '@parley/sdk'
import { nameOf } from '../names/profile.ts'
import { cache } from '../service/api.ts'

/** The other wallet of a direct conversation. */
export const peerOf = ({ fromaddr, toaddr }: { fromaddr: string; toaddr: string }, me: string): string =>
  fromaddr === me ? toaddr : fromaddr

/** A conversation with a wallet, or a chat; its name in the inbox. */
export interface Place {
  context_type: InboxItem['context_type']
  /** The peer, or the chat. */
  addr: string
}

export const isPlaceOf = ({ context_type, addr }: Place, row: InboxItem, me: string): boolean =>
  context_type === 'dm'
    ? row.context_type === 'dm' && peerOf(row, me) === addr
    : row.context_type !== 'dm' && row.nftaddr.toLowerCase() === addr.toLowerCase()

const placeOf = (item: ChatItem | GroupChatItem, me: string): Place =>
  'toaddr' in item
    ? { context_type: 'dm', addr: peerOf(item, me) }
    : { context_type: item.context_type, addr: item.nftaddr }

const keyOf = (me: string) => ['getInbox', { address: me }]

export const rowOf = (place: Place, me: string): InboxItem | undefined =>
  cache.getQueryData<InboxItem[]>(keyOf(me))?.find((row) => isPlaceOf(place, row, me))

/** Fields that may be left out. */
type Optional<Item> = { [Name in keyof Item]-?: undefined extends Item[Name] ? Name : never }[keyof Item]

/** The fields that a message may leave out. A row has all of them. */
const blanks: Record<Optional<ChatItem>, ''> = {
  nftaddr: '',
  nftid: '',
  encrypted_sym_x_key: '',
  x_access_conditions: '',
}

/**
 * Puts a new message into its row and moves that to the top. `isSeen` says that the reader sees it
 * where it arrives, so that it does not count as unread.
 */
export function moveRow(item: ChatItem | GroupChatItem, me: string, isSeen: boolean): void {
  // A read in progress may be older than the message.
  if (cache.isFetching({ queryKey: ['getInbox'] }) > 0) readInboxAgain()
  const place = placeOf(item, me)
  const known = rowOf(place, me)
  // An event may come again.
  if (known && known.id >= item.id) return
  const { context_type, addr } = place
  const row = known ?? (context_type === 'dm' ? newRow({ context_type, addr }) : undefined)
  if (!row) return readInboxAgain()
  const isUnread = item.fromaddr !== me && !isSeen && !('read' in item && item.read)
  const name = place.context_type === 'dm' && item.fromaddr !== me ? item.sender_name : row.name
  const { truncated: _, ...rest } = row
  const moved = { ...rest, ...blanks, ...item, name, unread: row.unread + (isUnread ? 1 : 0) }
  cache.setQueryData<InboxItem[]>(
    keyOf(me),
    (rows) => rows && [moved, ...rows.filter((one) => one !== known)],
  )
}

/** The row of a conversation that begins. A chat has one since it was joined. */
export const newRow = ({ addr }: Place & { context_type: 'dm' }): InboxItem => ({
  ...blanks,
  id: 0,
  context_type: 'dm',
  type: 'message',
  chain: '',
  fromaddr: '',
  toaddr: '',
  message: '',
  read: false,
  unread: 0,
  sender_name: '',
  name: nameOf(addr) ?? '',
  logo: '',
  timestamp: '',
  timestamp_dtm: '',
})

/** Changes the row of a conversation or chat, if it is cached. */
export function changeRow(place: Place, me: string, change: (row: InboxItem) => Partial<InboxItem>): void {
  cache.setQueryData<InboxItem[]>(keyOf(me), (rows) =>
    rows?.map((row) => (isPlaceOf(place, row, me) ? { ...row, ...change(row) } : row)),
  )
}

let timer: ReturnType<typeof setTimeout> | undefined

/** Reads the inbox again soon. Several calls within 150 ms are one request. */
export function readInboxAgain(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void cache.invalidateQueries({ queryKey: ['getInbox'] }), 150)
}

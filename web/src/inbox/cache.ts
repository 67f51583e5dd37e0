// The cached inbox. A new message changes its row in place; otherwise the inbox is read again.

import type { ChatItem, GroupChatItem, InboxItem } from '@parley/sdk'
import { cache } from '../service/api.ts'

/** The other wallet of a direct conversation. */
export const peerOf = ({ fromaddr, toaddr }: { fromaddr: string; toaddr: string }, me: string): string =>
  fromaddr === me ? toaddr : fromaddr

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
 * Puts a new message into its row and moves that to the top. Without such a row the inbox is read
 * again.
 */
export function moveRow(item: ChatItem | GroupChatItem, me: string): void {
  // A read in progress may be older than the message.
  if (cache.isFetching({ queryKey: ['getInbox'] }) > 0) readInboxAgain()
  cache.setQueryData<InboxItem[]>(['getInbox', { address: me }], (rows) => {
    const row = rows?.find((candidate) => belongsTo(item, candidate, me))
    if (!rows || !row) {
      readInboxAgain()
      return rows
    }
    // The message is whole, also where the one before was cut.
    const { truncated: _truncated, ...kept } = row
    const unread = row.unread + (isUnread(item, me) ? 1 : 0)
    return [{ ...kept, ...blanks, ...item, unread }, ...rows.filter((other) => other !== row)]
  })
}

const belongsTo = (item: ChatItem | GroupChatItem, row: InboxItem, me: string): boolean =>
  'toaddr' in item
    ? row.context_type === 'dm' && peerOf(row, me) === peerOf(item, me)
    : row.context_type !== 'dm' && row.nftaddr.toLowerCase() === item.nftaddr.toLowerCase()

const isUnread = (item: ChatItem | GroupChatItem, me: string): boolean =>
  item.fromaddr !== me && !('read' in item && item.read)

let timer: ReturnType<typeof setTimeout> | undefined

/** Reads the inbox again soon. Several calls within 150 ms are one request. */
export function readInboxAgain(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void cache.invalidateQueries({ queryKey: ['getInbox'] }), 150)
}

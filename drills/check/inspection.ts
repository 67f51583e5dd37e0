// This is the check of everything when a drill is over: full lists against the ledger, counts and inboxes against recounts.

import type { ChatItem, Client, InboxItem } from '@parley/sdk'
import { checkChanges, checkEarlier } from './changes.ts'
import { checkRoom, type Item, type Violation } from './checker.ts'
import type { History } from './ledger.ts'
import type { Watcher } from '../load/poller.ts'
import type { Wallets } from '../wallets.ts'

/** Inspects the service at `url`. Reading a group chat resets its unread count, so counts are read first. */
export async function inspect(
  wallets: Wallets,
  history: History,
  watchers: Watcher[],
  url: string,
): Promise<Violation[]> {
  const found = await checkEarlier(history, (wallet) => wallets.client(wallet, url))
  const entries = Map.groupBy(history.values(), ({ room }) => room)
  const before = new Map<string, { rows: InboxItem[]; counts: Counts }>()
  for (const address of wallets.addresses) {
    const client = wallets.client(address, url)
    before.set(address, { rows: await client.getInbox({ address }), counts: await countsOf(client, address) })
  }
  const lists = new Map<string, Item[]>()
  for (const room of wallets.rooms) {
    const [fromaddr, toaddr] = 'pair' in room ? room.pair : [wallets.addresses[0]!, '']
    const client = wallets.client(fromaddr, url)
    const listed: Item[] =
      'pair' in room
        ? await client.listConversation({ fromaddr, toaddr })
        : await client.listGroupMessages({ address: room.nftaddr, useraddress: fromaddr })
    lists.set(room.name, listed)
    const sent = entries.get(room.name) ?? []
    found.push(...checkRoom(room.name, sent, listed), ...checkChanges(room.name, sent, listed))
    for (const watcher of watchers) if (watcher.room === room.name) found.push(...watcher.check(listed))
  }
  for (const address of wallets.addresses) {
    const listed = await wallets.client(address, url).listDirectMessages({ address })
    found.push(...recount(wallets, address, listed, lists, before.get(address)!))
    for (const watcher of watchers) if (watcher.wallet === address) found.push(...watcher.check(listed))
  }
  return found
}

interface Counts {
  dm: number
  nft: number
  all: number
}

async function countsOf(client: Client, address: string): Promise<Counts> {
  const [dm, nft, all] = await Promise.all([
    client.countUnreadByType({ address, type: 'dm' }),
    client.countUnreadByType({ address, type: 'nft' }),
    client.countUnread({ address }),
  ])
  return { dm, nft, all }
}

/** Returns what the wallet's counts and inbox should be, counted from the lists. */
function recount(
  wallets: Wallets,
  address: string,
  listed: ChatItem[],
  lists: Map<string, Item[]>,
  { rows, counts }: { rows: InboxItem[]; counts: Counts },
): Violation[] {
  const found: Violation[] = []
  const expect = (what: string, is: number, should: number) => {
    if (is !== should)
      found.push({ kind: 'count', detail: `${what} of ${address} is ${is}, a recount says ${should}` })
  }
  let [dm, nft, inRooms] = [0, 0, 0]
  for (const room of wallets.rooms) {
    const items = lists.get(room.name)!
    const mine = 'nftaddr' in room || room.pair.includes(address)
    if (!mine) continue
    const isUnread = (item: Item) =>
      'pair' in room
        ? (item as ChatItem).toaddr === address && item.fromaddr !== address && item.read === false
        : item.fromaddr !== address
    const unread = items.filter(isUnread).length
    if ('pair' in room) {
      dm += unread
      inRooms += items.length
    } else nft += unread
    const row = rows.find((candidate) => roomOf(candidate) === room.name)
    expect(`the last message of ${room.name} in the inbox`, row?.id ?? 0, items.at(-1)?.id ?? 0)
    expect(`the unread count of ${room.name} in the inbox`, row?.unread ?? 0, unread)
  }
  expect('the number of all direct messages', listed.length, inRooms)
  expect('the count of unread direct messages', counts.dm, dm)
  expect('the count of unread messages in chats', counts.nft, nft)
  expect('the count of all unread messages', counts.all, dm + nft)
  return found
}

const roomOf = ({ context_type, fromaddr, toaddr, nftaddr }: InboxItem) =>
  context_type === 'dm' ? [fromaddr, toaddr].toSorted().join(' ') : nftaddr

// This is the real service beside the model: two instances on one database, new wallets and chats for each history.

import type { Client, InboxItem } from '@parley/sdk'
import { newWallet, type Service } from '../../testing/service/service.ts'
import { openListener, openMember, shownOf } from './listener.ts'
import type { Sent, View } from './state.ts'

export type Real = Awaited<ReturnType<typeof openReal>>

export const walletCount = 3

export async function openReal(instances: Service[]) {
  const wallets = Array.from({ length: walletCount }, newWallet)
  const clients = await Promise.all(
    instances.map((service) => Promise.all(wallets.map((wallet) => service.as(wallet)))),
  )
  const client = (wallet: number, via: number) => clients[via % clients.length]![wallet]!
  const chats = [`town-${wallets[0]!.slice(2, 14)}`, newWallet(), newWallet()]
  const reader = newWallet()
  const asReader = await instances[0]!.as(reader)
  await asReader.createCommunity({ body: { community: chats[0]! } })
  for (const nftaddr of chats) await asReader.joinChat({ body: { walletaddr: reader, nftaddr } })
  /** The id of each message by its text. */
  const ids = new Map<string, number>()
  const textOf = (id: number) => [...ids].find((one) => one[1] === id)?.[0] ?? `message ${id}`

  const listen = (wallet: number) =>
    openListener(instances[wallet % instances.length]!, { wallets, wallet, textOf }, client(wallet, wallet))
  const listeners = await Promise.all(wallets.map((_, wallet) => listen(wallet)))
  const member = () => openMember(instances[1]!, { chats, member: reader, textOf }, asReader)
  const members = [await member()]

  return {
    wallets,
    chats,
    ids,
    textOf,
    /** The number of steps so far: texts are unique by it. */
    turn: 0,
    client,

    /** The knowledge of each wallet from events. */
    listeners,

    /** Its knowledge of the chats is from events. It is the owner of the community, and has joined all chats. */
    members,
    owner: asReader,

    /** Opens all streams again. The one of a wallet that was erased has ended. */
    async listen(): Promise<void> {
      for (const stream of [...listeners, ...members]) await stream[Symbol.asyncDispose]()
      listeners.splice(
        0,
        listeners.length,
        ...(await Promise.all(wallets.map((_, wallet) => listen(wallet)))),
      )
      members[0] = await member()
    },

    /** Signs in after the account was erased: its earlier tokens are no longer valid. */
    async signInAgain(wallet: number): Promise<void> {
      for (const [i, service] of instances.entries()) clients[i]![wallet] = await service.as(wallets[wallet]!)
    },

    /** Sends a message with its text as idempotency key; returns its id. */
    async send({ text, from, to, reply }: Sent, via: number): Promise<number> {
      const body = {
        fromaddr: wallets[from]!,
        toaddr: wallets[to]!,
        message: text,
        ...(reply !== undefined && { reply_to: ids.get(reply)! }),
      }
      const [sent] = await client(from, via).sendDirectMessage({ body }, { idempotencyKey: text })
      if (!ids.has(text)) ids.set(text, sent!.id)
      return sent!.id
    },

    async mark(
      text: string,
      { from, to, read }: { from: number; to: number; read: boolean },
      via: number,
    ): Promise<boolean> {
      const path = { fromaddr: wallets[from]!, toaddr: wallets[to]! }
      const body = { ...path, id: ids.get(text)!, message: '', read }
      const [marked] = await client(to, via).markDirectMessage({ ...path, body })
      return marked!.read
    },

    /** Returns the posts of each chat, read by a wallet outside of the model. */
    posts: () =>
      Promise.all(
        chats.map(async (address) => {
          const items = await asReader.listGroupMessages({ address, useraddress: reader })
          return items.map((item) => shownOf(item, textOf))
        }),
      ),

    /** Everything a wallet can see, on one of the instances. */
    view: (wallet: number, via: number) => viewOf(client(wallet, via), wallets, { chats, textOf }, wallet),

    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.all([...listeners, ...members].map((stream) => stream[Symbol.asyncDispose]()))
    },
  }
}

async function viewOf(
  client: Client,
  wallets: string[],
  { chats, textOf }: { chats: string[]; textOf: (id: number) => string },
  wallet: number,
): Promise<View> {
  const address = wallets[wallet]!
  const count = (type: string) => client.countUnreadByType({ address, type })
  const inView = (view: 'main' | 'requests') => client.getInbox({ address, query: { view } })
  const countIn = (view: 'main' | 'requests') => client.countUnread({ address, query: { view } })
  const [lists, bookmarks, inbox, mainRows, requestRows, counts] = await Promise.all([
    Promise.all(wallets.map((toaddr) => client.listConversation({ fromaddr: address, toaddr }))),
    client.listBookmarks({ address }),
    client.getInbox({ address }),
    inView('main'),
    inView('requests'),
    Promise.all([
      count('dm'),
      count('nft'),
      count('community'),
      client.countUnread({ address }),
      countIn('main'),
      countIn('requests'),
    ]),
  ])
  const rowsOf = (items: InboxItem[]) =>
    Object.fromEntries(
      items.map(({ context_type, fromaddr, toaddr, nftaddr, message, unread, muted_until }) => {
        const peer = fromaddr === address ? toaddr : fromaddr
        const key =
          context_type === 'dm' ? `wallet ${wallets.indexOf(peer)}` : `chat ${chats.indexOf(nftaddr)}`
        return [key, { last: message, unread, ...(muted_until !== undefined && { muted: true as const }) }]
      }),
    )
  const [dm, nft, community, all, main, requests] = counts
  return {
    conversations: lists.map((items) => items.map((item) => ({ ...shownOf(item, textOf), read: item.read }))),
    bookmarks: bookmarks.map(({ nftaddr }) => chats.indexOf(nftaddr)),
    inbox: rowsOf(inbox),
    main: rowsOf(mainRows),
    requests: rowsOf(requestRows),
    counts: { dm, nft, community, all, main, requests },
  }
}

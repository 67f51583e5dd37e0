// The state that the service should be in: conversations, read state, chats, bookmarks, and every count and inbox that
// follows from them. Plain arrays, so that it is easy to see that it is right.

export interface State {
  /**
   * Direct messages in the order of their conversation; texts are unique. Deleted ones keep their place, up to which a
   * wallet may still read. The wallets that have deleted a message for themselves alone: by itself, or with its conversation.
   */
  messages: {
    text: string
    from: number
    to: number
    read: boolean
    deleted?: true
    hidden?: number[]
    erased?: number[]
  }[]
  /** Posts of each chat. */
  posts: { chat: number; text: string; from: number }[]
  /** Chats a wallet has joined, in that order. */
  bookmarks: { wallet: number; chat: number }[]
  /** How many posts of a chat there were when a wallet entered it last. */
  entered: { wallet: number; chat: number; posts: number }[]
}

export const emptyState = (): State => ({ messages: [], posts: [], bookmarks: [], entered: [] })

/** The same state in a normal form: order matters only within a pair, a chat, or a wallet's bookmarks. */
export const inOrder = ({ messages, posts, bookmarks, entered }: State): State => ({
  messages: messages.toSorted((one, other) => pairOf(one) - pairOf(other)),
  posts: posts.toSorted((one, other) => one.chat - other.chat),
  bookmarks: bookmarks.toSorted((one, other) => one.wallet - other.wallet),
  entered: entered.toSorted((one, other) => one.wallet - other.wallet || one.chat - other.chat),
})

const pairOf = ({ from, to }: { from: number; to: number }) => Math.min(from, to) * 100 + Math.max(from, to)

/** What one wallet sees, in every way there is to see it. */
export interface View {
  conversations: { text: string; read: boolean }[][]
  bookmarks: number[]
  /** By peer or chat: the last text and how much of it is unread. */
  inbox: Record<string, { last: string; unread: number }>
  counts: { dm: number; nft: number; community: number; all: number }
}

/** Chat 0 is a community, the others belong to NFT contracts. */
const isCommunity = (chat: number) => chat === 0

export function viewOf(state: State, wallet: number, wallets: number): View {
  const inbox: View['inbox'] = {}
  const counts = { dm: 0, nft: 0, community: 0, all: 0 }
  const conversations = Array.from({ length: wallets }, (_, peer) => between(state, wallet, peer))
  for (const [peer, items] of conversations.entries()) {
    const last = items.at(-1)
    if (!last) continue
    const unread = items.filter((item) => item.to === wallet && item.from !== wallet && !item.read).length
    inbox[`wallet ${peer}`] = { last: last.text, unread }
    counts.dm += unread
  }
  const joined = state.bookmarks.filter((bookmark) => bookmark.wallet === wallet).map(({ chat }) => chat)
  for (const chat of joined) {
    const unread = unreadOf(state, wallet, chat)
    inbox[`chat ${chat}`] = { last: postsOf(state, chat).at(-1)?.text ?? '', unread }
    counts[isCommunity(chat) ? 'community' : 'nft'] += unread
  }
  counts.all = counts.dm + counts.nft + counts.community
  return {
    conversations: conversations.map((items) => items.map(({ text, read }) => ({ text, read }))),
    bookmarks: joined,
    inbox,
    counts,
  }
}

const between = ({ messages }: State, one: number, other: number) =>
  messages.filter(
    (message) =>
      isSeen(message, one) &&
      ((message.from === one && message.to === other) || (message.from === other && message.to === one)),
  )

/** Whether a message is there for one of its two wallets. */
export const isSeen = ({ deleted, hidden = [], erased = [] }: State['messages'][number], by: number) =>
  !deleted && !hidden.includes(by) && !erased.includes(by)

export const postsOf = ({ posts }: State, chat: number) => posts.filter((post) => post.chat === chat)

/** What others have posted since the wallet entered last. */
export function unreadOf(state: State, wallet: number, chat: number): number {
  const seen = state.entered.find((entry) => entry.wallet === wallet && entry.chat === chat)?.posts ?? 0
  return postsOf(state, chat)
    .slice(seen)
    .filter(({ from }) => from !== wallet).length
}

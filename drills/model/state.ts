// This is the state that the service should be in: conversations, read state, chats, bookmarks, and every count and inbox that
// follows from them. It has plain arrays, so that it is easy to see that it is right.

import { type Marked, type Shown, shownTo } from './marks.ts'

export type Decision = 'accepted' | 'ignored'

export interface State {
  /**
   * Direct messages in the order of their conversation; texts are unique. Deleted ones remain in place, because a wallet may
   * still read up to them. The lists name the wallets that have deleted a message only for themselves: by itself, or with its
   * conversation.
   */
  messages: (Marked & {
    to: number
    read: boolean
    deleted?: true
    hidden?: number[]
    erased?: number[]
    /** Its recipient had blocked its sender: only the sender sees it. */
    withheld?: true
  })[]
  /** Each row says that a wallet has blocked another. */
  blocked: { by: number; peer: number }[]
  /** Each row says that a wallet has accepted or ignored another; one without a row is unknown. */
  decided: { by: number; peer: number; is: Decision }[]
  /** The wallets that a wallet has muted; the next field has the muted chats among those it has joined. */
  muted: { by: number; peer: number }[]
  mutedChats: { wallet: number; chat: number }[]
  /** Posts of each chat. */
  posts: (Marked & { chat: number })[]
  /** Chats a wallet has joined, in that order. */
  bookmarks: { wallet: number; chat: number }[]
  /** The number of posts of a chat when a wallet entered it last. */
  entered: { wallet: number; chat: number; posts: number }[]
}

/** A message that was ever sent. */
export interface Sent {
  text: string
  reply?: string | undefined
  from: number
  to: number
  /** Its sender was erased, with its keys: sending again with one of them makes a new message. */
  forgotten?: true
}

export const emptyState = (): State => ({
  messages: [],
  blocked: [],
  decided: [],
  muted: [],
  mutedChats: [],
  posts: [],
  bookmarks: [],
  entered: [],
})

/** Returns the same state in a normal form: order matters only within a pair, a chat, or a wallet's bookmarks. */
export const inOrder = (state: State): State => ({
  blocked: state.blocked.toSorted(byPeer),
  decided: state.decided.toSorted(byPeer),
  muted: state.muted.toSorted(byPeer),
  mutedChats: state.mutedChats.toSorted(byChat),
  messages: state.messages.toSorted((one, other) => pairOf(one) - pairOf(other)),
  posts: state.posts.toSorted((one, other) => one.chat - other.chat),
  bookmarks: state.bookmarks.toSorted((one, other) => one.wallet - other.wallet),
  entered: state.entered.toSorted(byChat),
})

interface OfPeer {
  by: number
  peer: number
}
interface OfChat {
  wallet: number
  chat: number
}
const byPeer = (one: OfPeer, other: OfPeer) => one.by - other.by || one.peer - other.peer
const byChat = (one: OfChat, other: OfChat) => one.wallet - other.wallet || one.chat - other.chat

const pairOf = ({ from, to }: { from: number; to: number }) => Math.min(from, to) * 100 + Math.max(from, to)

/** The view of one wallet, in every way there is to read it. */
export interface View {
  conversations: (Shown & { read: boolean })[][]
  bookmarks: number[]
  /** The last text by peer or chat, and how much of it is unread. */
  inbox: Record<string, Row>
  /** Parts of the inbox; what is muted is marked. */
  main: Record<string, Row>
  requests: Record<string, Row>
  counts: { dm: number; nft: number; community: number; all: number; main: number; requests: number }
}

interface Row {
  last: string
  unread: number
  muted?: true
}

/** Chat 0 is a community, the others belong to NFT contracts. */
const isCommunity = (chat: number) => chat === 0

export function viewOf(state: State, wallet: number, wallets: number): View {
  const [inbox, main, requests]: [View['inbox'], View['main'], View['requests']] = [{}, {}, {}]
  const counts = { dm: 0, nft: 0, community: 0, all: 0, main: 0, requests: 0 }
  const addToMain = (key: string, row: Row, muted: boolean) => {
    main[key] = { ...row, ...(muted && { muted }) }
    if (!muted) counts.main += row.unread
  }
  const conversations = Array.from({ length: wallets }, (_, peer) => between(state, wallet, peer))
  for (const [peer, items] of conversations.entries()) {
    const last = items.at(-1)
    if (!last || hasBlocked(state, wallet, peer)) continue
    const unread = items.filter((item) => item.to === wallet && item.from !== wallet && !item.read).length
    const [key, row] = [`wallet ${peer}`, { last: shownTo(last, wallet).text, unread }]
    inbox[key] = row
    counts.dm += unread
    const decision = decisionOf(state, wallet, peer)
    const muted = state.muted.some((one) => one.by === wallet && one.peer === peer)
    if (decision === 'accepted') addToMain(key, row, muted)
    else if (decision === undefined && last.from === peer) {
      requests[key] = { ...row, ...(muted && { muted }) }
      counts.requests += unread
    }
  }
  const joined = state.bookmarks.filter((bookmark) => bookmark.wallet === wallet).map(({ chat }) => chat)
  for (const chat of joined) {
    const unread = unreadOf(state, wallet, chat)
    const last = postsOf(state, chat).at(-1)
    const [key, row] = [`chat ${chat}`, { last: last ? shownTo(last, wallet).text : '', unread }]
    inbox[key] = row
    addToMain(
      key,
      row,
      state.mutedChats.some((one) => one.wallet === wallet && one.chat === chat),
    )
    counts[isCommunity(chat) ? 'community' : 'nft'] += unread
  }
  counts.all = counts.dm + counts.nft + counts.community
  return {
    conversations: conversations.map((items) =>
      items.map((item) => ({ ...shownTo(item, wallet), read: item.read })),
    ),
    bookmarks: joined,
    inbox,
    main,
    requests,
    counts,
  }
}

/** Returns the messages of two wallets that the first one sees. */
export const between = ({ messages }: State, one: number, other: number) =>
  messages.filter(
    (message) =>
      isSeen(message, one) &&
      ((message.from === one && message.to === other) || (message.from === other && message.to === one)),
  )

/** Returns true when one of the two wallets of a message can see it. */
export const isSeen = (
  { to, withheld, deleted, hidden = [], erased = [] }: State['messages'][number],
  by: number,
) => !deleted && !hidden.includes(by) && !erased.includes(by) && !(withheld && by === to)

export const hasBlocked = ({ blocked }: State, by: number, peer: number) =>
  blocked.some((one) => one.by === by && one.peer === peer)

export const decisionOf = ({ decided }: State, by: number, peer: number) =>
  decided.find((one) => one.by === by && one.peer === peer)?.is

export function decide(state: State, by: number, peer: number, is: Decision | undefined): void {
  state.decided = state.decided.filter((one) => one.by !== by || one.peer !== peer)
  if (is) state.decided.push({ by, peer, is })
}

export const postsOf = ({ posts }: State, chat: number) => posts.filter((post) => post.chat === chat)

/** Returns what others have posted since the wallet entered last. */
export function unreadOf(state: State, wallet: number, chat: number): number {
  const seen = state.entered.find((entry) => entry.wallet === wallet && entry.chat === chat)?.posts ?? 0
  return postsOf(state, chat)
    .slice(seen)
    .filter(({ from }) => from !== wallet).length
}

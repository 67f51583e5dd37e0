// The layout says who writes to whom in the seeded history. Everything follows only from the size: the loader and the load
// generator need nothing else to agree, and two runs measure the same.
//
//   hubs      wallets whose inboxes have 20, 200 and 2,000 rows: nine in ten are conversations, one in ten a joined chat
//   deep      64 conversations that share a fifth of all direct messages
//   others    all other conversations, in proportion to the history; sends go here
//   chats     200 group chats, half communities and half of NFTs; the first has (up to) 100,000 members

import { createHash } from 'node:crypto'

export type Pair = readonly [string, string]

export interface Layout {
  size: number
  /** The number of direct messages; the rest are in groups. */
  direct: number
  /** The number of wallets that have conversations outside of the hubs and the deep ones. */
  people: number
  /** The number of wallets in the largest chat. */
  members: number
  hubConversations: number
  deep: number
  others: number
  conversations: number
}

const hubs = [
  { rows: 20, count: 32 },
  { rows: 200, count: 8 },
  { rows: 2000, count: 2 },
] as const
export type InboxRows = (typeof hubs)[number]['rows']

export const chats = 200
const communities = 100

const hash = (text: string) => `0x${createHash('sha256').update(text).digest('hex').slice(0, 40)}`

/** Returns the address of the n-th wallet outside of the special conversations, from 0. */
export const person = (n: number): string => hash(`person ${n}`)

export const isCommunity = (n: number): boolean => n < communities

/** Returns the `nftaddr` of messages in the n-th group chat. */
export const chatName = (n: number): string => (isCommunity(n) ? `bench-${n}` : hash(`chat ${n}`))

/** Each hub has its inbox: peers of its conversations, and the number of chats it has joined, from the first on. */
const hubList = hubs.flatMap(({ rows, count }) =>
  Array.from({ length: count }, (_, i) => ({
    address: hash(`hub ${rows} ${i}`),
    rows,
    conversations: rows * 0.9,
    joined: rows * 0.1,
  })),
)

/** Returns the wallets with an inbox of `rows` rows. */
export const hubsOf = (rows: InboxRows): string[] =>
  hubList.filter((hub) => hub.rows === rows).map(({ address }) => address)
export const allHubs = () => hubList

export function layoutOf(size: number): Layout {
  const direct = Math.round(size * 0.9)
  const hubConversations = hubList.reduce((sum, hub) => sum + hub.conversations, 0)
  const deep = 64
  const others = Math.round(size / 40)
  const conversations = hubConversations + deep + others
  if (direct < conversations) throw new Error('The history must have at least 10,000 messages.')
  const people = Math.max(5000, Math.round(size / 200))
  const members = Math.min(100_000, size)
  return { size, direct, people, members, hubConversations, deep, others, conversations }
}

/** Yields the pairs of all conversations, in the order of their numbers: hubs, deep, others. */
export function* pairs({ people, deep, others }: Layout): Generator<Pair> {
  let peer = 0
  for (const { address, conversations } of hubList)
    for (let i = 0; i < conversations; i++) yield [address, person(peer++ % people)]
  for (let i = 0; i < deep; i++) yield deepPair(i)
  for (let i = 0; i < others; i++) yield otherPair(people, i)
}

export const deepPair = (n: number): Pair => [hash(`deep ${n}`), hash(`deep peer ${n}`)]

export const otherPair = (people: number, n: number): Pair => [
  person(n % people),
  person(((n % people) + 1 + Math.floor(n / people)) % people),
]

/** Two wallets whose conversation is loaded only for the case that reads it whole. */
export const longPair: Pair = [hash('long'), hash('long peer')]
export const longConversation = 100_000

/** Two wallets that write into one conversation faster than it can store messages. */
export const busyPair: Pair = [hash('busy'), hash('busy peer')]

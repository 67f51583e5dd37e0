// These are the actions of people in a day, and the requests for them.

import { drawerOf, randomOf } from './random.ts'
import type { Population } from './population.ts'

/** The habits of one active wallet on one day. */
export interface Habits {
  messages: number
  /** The starts of the app, each with requests for the inbox and the unread count. */
  starts: number
  /** Openings of a conversation. */
  openings: number
  /** The number of times that received messages are marked as read. */
  marks: number
  /** Messages that an opening reads. */
  page: number
  /** The part of a day's work in its busiest hour. */
  busiestHour: number
  /** The peak as a multiple of that hour's mean. */
  peak: number
  /** The part of the active wallets that have an event stream open at the peak. */
  streams: number
}

export const actions = ['send', 'start', 'open', 'mark'] as const
export type Action = (typeof actions)[number]

/** Returns how often each action is done in a day. */
export const perDay = ({ messages, starts, openings, marks }: Habits): Record<Action, number> => ({
  send: messages,
  start: starts,
  open: openings,
  mark: marks,
})

/** Returns the actions of a wallet in a day. */
export const actionsOf = (habits: Habits): number =>
  Object.values(perDay(habits)).reduce((sum, times) => sum + times, 0)

export interface Ask {
  kind: 'send' | 'inbox' | 'unread' | 'open' | 'mark'
  /** The wallet that sends the request. */
  wallet: string
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: object
}

export interface Life {
  /** Returns the requests of the next action of this kind; of any kind, by how often it is done, when left out. */
  next: (action?: Action) => Ask[]
  /** Returns the messages with which acquaintances begin: when the second one has answered, both have accepted the other. */
  beginnings: () => { first: Ask[]; answers: Ask[] }
  /** Marks everything that was sent so far as read. */
  readAll: () => Ask[]
}

/** Returns what the wallets of a population do, one action after the other; the same for the same seed. */
export function lifeOf({ addresses, activity, peers }: Population, habits: Habits, seed: number): Life {
  const random = randomOf(seed)
  const drawWallet = drawerOf(activity, random)
  const times = perDay(habits)
  const drawAction = drawerOf(
    actions.map((action) => times[action]),
    random,
  )
  /** Conversations with something received since they were marked as read, as places of the recipient and the sender. */
  const unread = new Map<string, readonly [number, number]>()
  const send = (from: number, to: number): Ask => {
    unread.set(`${to} ${from}`, [to, from])
    const body = { fromaddr: addresses[from], toaddr: addresses[to], message: textOf(random()) }
    return { kind: 'send', wallet: addresses[from]!, method: 'POST', path: '/v1/create_chatitem', body }
  }
  const mark = ([reader, sender]: readonly [number, number]): Ask => {
    unread.delete(`${reader} ${sender}`)
    const body = { id: Number.MAX_SAFE_INTEGER, context_type: 'dm' }
    const path = `/v1/read_to/${addresses[sender]}`
    return { kind: 'mark', wallet: addresses[reader]!, method: 'PUT', path, body }
  }
  /** Draws a wallet, and the acquaintance it turns to: the n-th nearest about 1/n times as often as the nearest (Zipf). */
  const drawPair = () => {
    const wallet = drawWallet()
    const known = peers[wallet]!
    const nth = Math.floor((known.length + 1) ** random()) - 1
    return [wallet, known[Math.min(nth, known.length - 1)]!] as const
  }

  const make: Record<Action, () => Ask[]> = {
    send: () => [send(...drawPair())],
    start: () => {
      const wallet = addresses[drawWallet()]!
      return [
        { kind: 'inbox', wallet, method: 'GET', path: `/v1/get_inbox/${wallet}?view=main` },
        { kind: 'unread', wallet, method: 'GET', path: `/v1/get_unread_cnt/${wallet}?view=main` },
      ]
    },
    open: () => {
      const [wallet, peer] = drawPair().map((n) => addresses[n]!) as [string, string]
      const path = `/v1/getall_chatitems/${wallet}/${peer}?limit=${habits.page}&before=${Number.MAX_SAFE_INTEGER}`
      return [{ kind: 'open', wallet, method: 'GET', path }]
    },
    mark: () => {
      const [oldest] = unread.values()
      return [mark(oldest ?? drawPair())]
    },
  }
  return {
    next: (action = actions[drawAction()]!) => make[action](),
    beginnings: () => {
      const pairs = peers.flatMap((known, n) => known.filter((peer) => n < peer).map((peer) => [n, peer]))
      return {
        first: pairs.map(([one, other]) => send(one!, other!)),
        answers: pairs.map(([one, other]) => send(other!, one!)),
      }
    },
    readAll: () => [...unread.values()].map(mark),
  }
}

/** Returns a text of 16 to 215 characters. */
const textOf = (share: number): string =>
  'gm, is it still for sale? '.repeat(9).slice(0, 16 + Math.floor(share * 200))

// What people do in a day, and the requests for it.

import { drawerOf, randomOf } from './random.ts'
import type { Population } from './population.ts'

/** Of one active wallet and one day. */
export interface Habits {
  messages: number
  /** Starts of the app: the inbox, and how many are unread. */
  starts: number
  /** Openings of a conversation. */
  openings: number
  /** How often what was received is marked as read. */
  marks: number
  /** Messages that an opening reads. */
  page: number
  /** The part of a day's work in its busiest hour. */
  busiestHour: number
  /** How many times the mean of that hour its peak is. */
  peak: number
  /** The part of the active wallets that have an event stream open at the peak. */
  streams: number
}

export const actions = ['send', 'start', 'open', 'mark'] as const
export type Action = (typeof actions)[number]

/** How often each action is done in a day. */
export const perDay = ({ messages, starts, openings, marks }: Habits): Record<Action, number> => ({
  send: messages,
  start: starts,
  open: openings,
  mark: marks,
})

/** Actions of a wallet and a day. */
export const actionsOf = (habits: Habits): number =>
  Object.values(perDay(habits)).reduce((sum, times) => sum + times, 0)

export interface Ask {
  kind: 'send' | 'inbox' | 'unread' | 'open' | 'mark'
  /** The wallet that asks. */
  wallet: string
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: object
}

export interface Life {
  /** The requests of the next action of this kind; of any kind, by how often it is done, when left out. */
  next: (action?: Action) => Ask[]
  /** The messages with which acquaintances begin: when the second one has answered, both have accepted the other. */
  beginnings: () => { first: Ask[]; answers: Ask[] }
  /** Marks everything that was sent so far as read. */
  readAll: () => Ask[]
}

/** What the wallets of a population do, one action after the other; the same for the same seed. */
export function lifeOf({ addresses, activity, peers }: Population, habits: Habits, seed: number): Life {
  const random = randomOf(seed)
  const drawWallet = drawerOf(activity, random)
  const times = perDay(habits)
  const drawAction = drawerOf(
    actions.map((action) => times[action]),
    random,
  )
  /** Who has received something since it marked a conversation as read, as places of the recipient and the sender. */
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
  /** A wallet, and the acquaintance it turns to: the n-th nearest about 1/n times as often as the nearest (Zipf). */
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

/** A text of 16 to 215 characters. */
const textOf = (share: number): string =>
  'gm, is it still for sale? '.repeat(9).slice(0, 16 + Math.floor(share * 200))

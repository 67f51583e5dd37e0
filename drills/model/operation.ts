// These are the operations of wallets. Each exists twice: as the atomic steps of the service, applied to the state of the model;
// and as the real request. Both return the same kind of outcome.

import fc from 'fast-check'
import type { Real } from './real.ts'
import type { State } from './state.ts'

/** The outcome of an operation, as a text that can be compared. */
export type Outcome = string

/** Changes the state and returns an outcome, or nothing when more steps follow. */
type Step = (state: State) => Outcome | undefined

export interface Operation {
  name: string
  steps: Step[]
  run(real: Real): Promise<Outcome>
}

/** The random numbers of an operation; what they mean depends on the messages and chats that exist. */
export interface Choice {
  do: keyof typeof weights | 'erase'
  by: number
  to: number
  which: number
  read: boolean
  via: number
}

const weights = {
  send: 6,
  resend: 1,
  mark: 4,
  read: 3,
  delete: 2,
  clear: 1,
  hide: 2,
  hideAll: 1,
  block: 2,
  think: 2,
  decideAll: 1,
  mute: 1,
  muteChat: 1,
  post: 4,
  enter: 2,
  reach: 2,
  join: 2,
  leave: 1,
  reply: 3,
  edit: 4,
  react: 5,
  pin: 3,
  editPost: 2,
  reactPost: 3,
  pinPost: 2,
}

export const choice = (wallets: number): fc.Arbitrary<Choice> =>
  fc.record({
    do: fc.oneof(
      ...Object.entries(weights).map(([name, weight]) => ({
        weight,
        arbitrary: fc.constant(name as Choice['do']),
      })),
    ),
    by: fc.nat({ max: wallets - 1 }),
    to: fc.nat({ max: wallets - 1 }),
    which: fc.nat({ max: 50 }),
    read: fc.boolean(),
    via: fc.nat({ max: 1 }),
  })

export type Acts = Omit<Operation, 'name'>

export const done = 'done'

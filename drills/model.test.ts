// These are random histories on two instances of the real service, and on a small model of it. Up to three wallets act at the
// same moment. Then there must be an order of their steps in which the model gives the same results and ends in the same state as
// the service: every list, flag, inbox row and count, on either instance. A client that only receives events must end in that
// state too.
//
// MODEL_SECONDS=600 npx vitest run drills/model.test.ts runs longer; a failure prints its seed and the shortest history.

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check } from '../server/src/check/check.ts'
import { citusUrl } from '../testing/service/citus.ts'
import { startPostgresPair } from '../testing/service/postgres.ts'
import { type Service, startService, useService } from '../testing/service/service.ts'
import { type Choice, choice, type Operation, type Outcome } from './model/operation.ts'
import { operationOf } from './model/operations.ts'
import { openReal, type Real, walletCount } from './model/real.ts'
import { earlierFor, shownTo } from './model/marks.ts'
import {
  between,
  emptyState,
  inOrder,
  isSeen,
  postsOf,
  type Sent,
  type State,
  type View,
  viewOf,
} from './model/state.ts'

const seconds = Number(process.env.MODEL_SECONDS ?? 10)

interface Model {
  /**
   * The possible states. There are several while no response distinguishes them: a wallet that has not joined a chat sees no
   * count.
   */
  states: State[]
  sent: Sent[]
}

/** Runs some operations, all begun at the same moment. */
class Together implements fc.AsyncCommand<Model, Real> {
  readonly choices: Choice[]
  constructor(choices: Choice[]) {
    this.choices = choices
  }
  check = () => true
  toString = () => this.choices.map((picked) => Object.values(picked).join(' ')).join(' | ')

  async run(model: Model, real: Real): Promise<void> {
    real.turn++
    const operations = this.choices.map((picked, i) =>
      operationOf(picked, model.sent, model.states[0]!, `m${real.ids.size}-${real.turn}-${i}`),
    )
    const outcomes = await Promise.all(operations.map((operation) => operation.run(real)))
    const wallets = [...Array(walletCount).keys()]
    const views = await Promise.all(wallets.map((wallet) => real.view(wallet, wallet)))
    const posts = await real.posts()
    const sees = (state: State) =>
      posts.every((shown, chat) => isDeepStrictEqual(shown, shownIn(state, chat))) &&
      views.every((view, wallet) => isDeepStrictEqual(view, viewOf(state, wallet, walletCount)))
    const after = model.states.flatMap((state) => explain(state, operations, outcomes)).filter(sees)
    if (after.length === 0) {
      expect({ outcomes, views }).toEqual(inTurn(model.states[0]!, operations))
      throw new Error('No order of the steps explains what was answered.')
    }
    model.states = distinct(after)
    for (const { text, from, to, reply } of model.states[0]!.messages)
      if (!model.sent.some((known) => known.text === text)) model.sent.push({ text, from, to, reply })
  }
}

/** A wallet erases its account while others act. It does not act itself, because its tokens end. */
class Erasing extends Together {
  constructor(erased: Choice, others: Choice[]) {
    const bySomebodyElse = ({ by, do: does, ...picked }: Choice): Choice => ({
      ...picked,
      do: ['resend', 'mark', 'read', 'delete', 'hide'].includes(does) ? 'send' : does,
      by: (erased.by + 1 + (by % (walletCount - 1))) % walletCount,
    })
    super([{ ...erased, do: 'erase' }, ...others.map(bySomebodyElse)])
  }

  override async run(model: Model, real: Real): Promise<void> {
    await super.run(model, real)
    const [{ by }] = this.choices as [Choice]
    for (const one of model.sent) if (one.from === by) one.forgotten = true
    // The streams of an erased wallet have ended.
    await real.listen()
  }
}

const shownIn = (state: State, chat: number) => postsOf(state, chat).map((post) => shownTo(post, -1))

/** Returns the end states of all orders of steps in which each operation has its real outcome. */
function explain(before: State, operations: Operation[], outcomes: Outcome[]): State[] {
  // This says how far each operation is; finished ones have no step left.
  let reached = [{ state: before, left: operations.map(({ steps }) => steps) }]
  const ends: State[] = []
  while (reached.length > 0) {
    const next = new Map<string, (typeof reached)[number]>()
    for (const { state, left } of reached) {
      if (left.every((steps) => steps.length === 0)) ends.push(state)
      for (const [i, [step, ...later]] of left.entries()) {
        if (!step) continue
        const then = structuredClone(state)
        const outcome = step(then)
        if (outcome !== undefined && outcome !== outcomes[i]) continue
        const place = { state: inOrder(then), left: left.with(i, outcome === undefined ? later : []) }
        next.set(JSON.stringify([place.left.map((steps) => steps.length), place.state]), place)
      }
    }
    reached = [...next.values()]
  }
  return ends
}

const distinct = (states: State[]): State[] => [
  ...new Map(states.map((state) => [JSON.stringify(state), state])).values(),
]

/** Returns the model's outcomes when one acts after the other: shown beside outcomes that no order explains. */
function inTurn(
  before: State,
  operations: Operation[],
): { outcomes: (Outcome | undefined)[]; views: View[] } {
  const state = structuredClone(before)
  const outcomes = operations.map(({ steps }) => {
    for (const step of steps) {
      const outcome = step(state)
      if (outcome !== undefined) return outcome
    }
    return undefined
  })
  return {
    outcomes,
    views: [...Array(walletCount).keys()].map((wallet) => viewOf(state, wallet, walletCount)),
  }
}

const here = useService()
const there = useService({ beside: here })

test(
  'whatever wallets do at once on two instances, the service ends in the state of the model',
  async () => {
    await compare(here, there, seconds)
  },
  seconds * 1000 + 60_000,
)

test.skipIf(citusUrl !== undefined)(
  'the same when both read from a standby that is behind',
  async () => {
    await using pair = await startPostgresPair({ lag: 50 })
    await using one = await startService({ pair })
    await using two = await startService({ pair })
    await compare(one, two, seconds)
  },
  seconds * 1000 + 60_000,
)

/** What is known from events alone is the state, and no event names a message that its wallet never saw. */
async function compareEvents(state: State, real: Real): Promise<void> {
  const waiting = { timeout: 5000, interval: 5 }
  for (const [wallet, listener] of real.listeners.entries()) {
    await expect
      .poll(() => listener.conversations(), waiting)
      .toEqual(viewOf(state, wallet, walletCount).conversations)
    const withheld = state.messages.filter((one) => one.withheld && one.to === wallet).map(({ text }) => text)
    expect(withheld.filter((text) => listener.named().has(text))).toEqual([])
  }
  const posts = real.chats.map((_, chat) => shownIn(state, chat))
  await expect.poll(() => real.members[0]!.posts(), waiting).toEqual(posts)
}

/** What stood before in each message, and the list of pins, are the same for each wallet that sees the message. */
async function compareEarlier(state: State, real: Real): Promise<void> {
  for (const wallet of real.wallets.keys()) {
    const seen = state.messages.filter(
      (one) => [one.from, one.to].includes(wallet) && isSeen(one, wallet) && (one.shown || one.own),
    )
    const client = real.client(wallet, wallet)
    for (const message of [...seen, ...state.posts.filter(({ shown }) => shown)]) {
      const versions = await client.listEdits({ id: real.ids.get(message.text)! })
      const earlier = versions.map(({ revision, message: text }) => ({ revision, text }))
      expect(earlier).toEqual(earlierFor(message, wallet))
    }
    for (const [peer, toaddr] of real.wallets.entries()) {
      const pinned = between(state, wallet, peer).filter((message) => shownTo(message, wallet).pinned)
      const pins = await client.listPinsOfConversation({ toaddr })
      expect(pins.map(({ id }) => real.textOf(id)).toSorted()).toEqual(
        pinned.map(({ text }) => text).toSorted(),
      )
    }
  }
}

/** Runs random histories on both, and on the model, for `time` seconds. */
async function compare(one: Service, two: Service, time: number): Promise<void> {
  const together = fc
    .array(choice(walletCount), { minLength: 1, maxLength: 3 })
    .map((choices) => new Together(choices))
  const erasing = fc
    .tuple(choice(walletCount), fc.array(choice(walletCount), { maxLength: 2 }))
    .map(([erased, others]) => new Erasing(erased, others))
  let histories = 0
  await fc.assert(
    fc.asyncProperty(
      fc.commands([...Array(9).fill(together), erasing], { maxCommands: 30, size: 'max' }),
      async (commands) => {
        await using real = await openReal([one, two])
        const model: Model = { states: [emptyState()], sent: [] }
        await fc.asyncModelRun(() => ({ model, real }), commands)
        await compareEvents(model.states[0]!, real)
        await compareEarlier(model.states[0]!, real)
        histories++
      },
    ),
    { numRuns: 100_000, interruptAfterTimeLimit: time * 1000, endOnFailure: false },
  )
  expect(histories).toBeGreaterThan(0)
  // It does not read clusters yet (docs/cluster.md).
  if (one.ctx.db.layout.name === 'machine')
    await check({
      databaseUrl: one.databaseUrl,
      onFault: ({ row, wrong }) => expect.fail(`${row}: ${wrong.join('; ')}`),
    })
}

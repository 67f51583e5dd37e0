// What wallets do. Each operation is told twice: as the steps that the service takes for it, each of them at one moment,
// on the state of the model; and as the request that is really made. Both say how it went, in the same words.

import { ApiError } from '@parley/sdk'
import fc from 'fast-check'
import type { Real } from './real.ts'
import { postsOf, type State } from './state.ts'

/** How an operation went, as a text that can be compared. */
export type Outcome = string

/** Changes the state and answers an outcome, or nothing when more steps follow. */
type Step = (state: State) => Outcome | undefined

export interface Operation {
  name: string
  steps: Step[]
  run(real: Real): Promise<Outcome>
}

/** What an operation is made of: numbers, whose meaning depends on what there is. */
export interface Choice {
  do: 'send' | 'resend' | 'mark' | 'delete' | 'clear' | 'post' | 'enter' | 'join' | 'leave'
  by: number
  to: number
  which: number
  read: boolean
  via: number
}

const weights = { send: 6, resend: 1, mark: 4, delete: 2, clear: 1, post: 4, enter: 2, join: 2, leave: 1 }

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

const gone = 'gone'
const done = 'done'
const orGone = (error: unknown): Outcome => {
  if (error instanceof ApiError && error.code === 'not_found') return gone
  throw error
}

/** Makes an operation of a choice; `sent` are the texts of all messages that were ever sent, `text` is a new one. */
export function operationOf(picked: Choice, sent: Sent[], text: string): Operation {
  const name = `${picked.do} ${JSON.stringify(picked)}`
  const old = sent.length > 0 ? sent[picked.which % sent.length] : undefined
  if (picked.do === 'send' || (!old && ['resend', 'mark', 'delete'].includes(picked.do)))
    return { name, ...send(picked, text) }
  switch (picked.do) {
    case 'resend':
      return { name, ...resend(picked, old!) }
    case 'mark':
      return { name, ...mark(picked, old!) }
    case 'delete':
      return { name, ...remove(picked, old!) }
    default:
      return { name, ...onRooms[picked.do](picked, text) }
  }
}

export interface Sent {
  text: string
  from: number
  to: number
}

type Acts = Omit<Operation, 'name'>

const send = ({ by, to, via }: Choice, text: string): Acts => ({
  steps: [
    ({ messages }) => {
      messages.push({ text, from: by, to, read: by === to })
      return done
    },
  ],
  run: (real) => real.send({ text, from: by, to }, via).then(() => done),
})

/** The same request with the same key: it answers the first message again, and stores nothing. */
const resend = ({ via }: Choice, old: Sent): Acts => ({
  steps: [() => `first ${old.text}`],
  run: async (real) =>
    (await real.send(old, via)) === real.ids.get(old.text) ? `first ${old.text}` : 'another',
})

// Found, marked and read again: three moments.
const mark = ({ read, via }: Choice, { text, from, to }: Sent): Acts => ({
  steps: [
    (state) => (find(state, text) ? undefined : gone),
    (state) => {
      const message = find(state, text)
      if (message && from !== to) message.read = read
      return undefined
    },
    (state) => {
      const message = find(state, text)
      return message ? `read ${message.read}` : gone
    },
  ],
  run: (real) => real.mark(text, { from, to, read }, via).then((is) => `read ${is}`, orGone),
})

const remove = ({ via }: Choice, { text, from }: Sent): Acts => ({
  steps: [
    (state) => (find(state, text) ? undefined : gone),
    (state) => {
      state.messages = state.messages.filter((message) => message.text !== text)
      return done
    },
  ],
  run: (real) =>
    real
      .client(from, via)
      .deleteDirectMessage({ id: real.ids.get(text)! })
      .then(() => done, orGone),
})

const onRooms: Record<'clear' | 'post' | 'enter' | 'join' | 'leave', (picked: Choice, text: string) => Acts> =
  {
    clear: ({ by, to, via }) => ({
      steps: [
        (state) => {
          const isBetween = (a: number, b: number) => (a === by && b === to) || (a === to && b === by)
          state.messages = state.messages.filter((message) => !isBetween(message.from, message.to))
          return done
        },
      ],
      run: ({ client, wallets }) =>
        client(by, via)
          .deleteConversation({ fromaddr: wallets[by]!, toaddr: wallets[to]! })
          .then(() => done),
    }),

    post: ({ by, to: chat, via }, text) => ({
      steps: [
        ({ posts }) => {
          posts.push({ chat, text, from: by })
          return done
        },
      ],
      run: ({ client, wallets, chats }) =>
        client(by, via)
          .postGroupMessage({ body: { fromaddr: wallets[by]!, nftaddr: chats[chat]!, message: text } })
          .then(() => done),
    }),

    // Entered first and listed then: what is posted in between is shown, and still counts as unread.
    enter: ({ by, to: chat, via }) => ({
      steps: [
        (state) => {
          state.entered = state.entered.filter((entry) => entry.wallet !== by || entry.chat !== chat)
          state.entered.push({ wallet: by, chat, posts: postsOf(state, chat).length })
          return undefined
        },
        (state) =>
          postsOf(state, chat)
            .map(({ text }) => text)
            .join(),
      ],
      run: async ({ client, wallets, chats }) => {
        const items = await client(by, via).listGroupMessages({
          address: chats[chat]!,
          useraddress: wallets[by]!,
        })
        return items.map(({ message }) => message).join()
      },
    }),

    join: ({ by, to: chat, via }) => ({
      steps: [
        ({ bookmarks }) => {
          if (!bookmarks.some((mine) => mine.wallet === by && mine.chat === chat))
            bookmarks.push({ wallet: by, chat })
          return done
        },
      ],
      run: ({ client, wallets, chats }) =>
        client(by, via)
          .joinChat({ body: { walletaddr: wallets[by]!, nftaddr: chats[chat]! } })
          .then(() => done),
    }),

    leave: ({ by, to: chat, via }) => ({
      steps: [
        (state) => {
          state.bookmarks = state.bookmarks.filter((mine) => mine.wallet !== by || mine.chat !== chat)
          return undefined
        },
        ({ bookmarks }) =>
          bookmarks
            .filter(({ wallet }) => wallet === by)
            .map((mine) => mine.chat)
            .join(),
      ],
      run: async ({ client, wallets, chats }) => {
        const body = { walletaddr: wallets[by]!, nftaddr: chats[chat]! }
        const left = await client(by, via).leaveChat({ body })
        return left.map(({ nftaddr }) => chats.indexOf(nftaddr)).join()
      },
    }),
  }

const find = ({ messages }: State, text: string) => messages.find((message) => message.text === text)

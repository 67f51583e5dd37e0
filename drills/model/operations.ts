import { ApiError } from '@parley/sdk'
import { inChats } from './chat-operations.ts'
import { type Acts, type Choice, done, type Operation, type Outcome } from './operation.ts'
import type { State } from './state.ts'

const gone = 'gone'
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
    case 'clear':
      return { name, ...clear(picked) }
    default:
      return { name, ...inChats[picked.do](picked, text) }
  }
}

export interface Sent {
  text: string
  from: number
  to: number
}

const send = ({ by, to, via }: Choice, text: string): Acts => ({
  steps: [
    ({ messages }) => {
      messages.push({ text, from: by, to, read: by === to })
      return done
    },
  ],
  run: (real) => real.send({ text, from: by, to }, via).then(() => done),
})

/** The same request with the same key: it returns the first message again, and stores nothing. */
const resend = ({ via }: Choice, old: Sent): Acts => ({
  steps: [() => `first ${old.text}`],
  run: async (real) =>
    (await real.send(old, via)) === real.ids.get(old.text) ? `first ${old.text}` : 'another',
})

// Three steps: find the message, mark it, read it again.
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

const clear = ({ by, to, via }: Choice): Acts => ({
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
})

const find = ({ messages }: State, text: string) => messages.find((message) => message.text === text)

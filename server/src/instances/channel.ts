// The processes of one machine exchange messages here. A process sends a question to the supervisor, which sends it to all others
// and returns their answers.

/**
 * `changed`: something changed that each process holds in memory; read it now. `metrics`: return what this process has measured,
 * as `getMetricsAsJSON` of prom-client gives it. `minutes`: return what it did in the last hour (telemetry/history.ts).
 */
export type Question = 'changed' | 'metrics' | 'minutes'

/** This is a message between two processes. The supervisor alone sends `disk` and `end`. */
type Message =
  | { kind: 'ask'; id: number; question: Question }
  | { kind: 'answer'; id: number; answers: unknown[] }
  | { kind: 'disk'; isShort: boolean }
  | { kind: 'end' }

/** This is the other process: a worker, or `process` in a worker. */
interface Other {
  send?: (message: Message, ...rest: [undefined, undefined, () => void]) => boolean
  on: (event: 'message', listener: (message: unknown) => void) => unknown
}

export interface Channel {
  /** Resolves with the answers, or with none when they take longer than a second. */
  ask: (question: Question) => Promise<unknown[]>
  /** Sends a message that needs no answer. */
  tell: (message: Message) => void
}

interface Options {
  other: Other
  /** Answers a question of the other process. */
  answer: (question: Question) => Promise<unknown[]>
  onMessage?: (message: Message) => void
}

const patience = 1_000

export function openChannel({ other, answer, onMessage = () => {} }: Options): Channel {
  const waiting = new Map<number, (answers: unknown[]) => void>()
  let lastId = 0
  // A process that has ended gets nothing, and that is no error.
  const tell = (message: Message) => void other.send?.(message, undefined, undefined, () => {})
  other.on('message', (received) => {
    const message = received as Message
    if (message.kind === 'answer') waiting.get(message.id)?.(message.answers)
    else if (message.kind === 'ask')
      void answer(message.question)
        .catch(() => [])
        .then((answers) => tell({ kind: 'answer', id: message.id, answers }))
    else onMessage(message)
  })
  return {
    tell,
    ask(question) {
      const id = ++lastId
      const { promise, resolve } = Promise.withResolvers<unknown[]>()
      const late = setTimeout(() => resolve([]), patience).unref()
      waiting.set(id, resolve)
      tell({ kind: 'ask', id, question })
      return promise.finally(() => {
        clearTimeout(late)
        waiting.delete(id)
      })
    },
  }
}

// The other processes of this machine, as one of them sees them (INSTANCES).

import type { Disk } from '../db/embedded/reserve.ts'
import { openChannel, type Question } from './channel.ts'

export interface Siblings {
  /** The answers of all others that came in time; none when this process is alone. */
  ask: (question: Question) => Promise<unknown[]>
  /** Answers a question of the others from now on. */
  onAsked: (question: Question, answer: () => unknown) => void
}

/** Of a process that has no siblings. */
export const alone: Siblings = { ask: async () => [], onAsked: () => {} }

interface Family {
  siblings: Siblings
  /** The disk of the embedded database, which the supervisor measures. */
  disk: Disk
  /** Aborted when the supervisor ends this process, because another one has taken its place. */
  replaced: AbortSignal
}

/** Connects a process to the supervisor that has started it. */
export function joinSiblings(): Family {
  const answers = new Map<Question, (() => unknown)[]>()
  const disk = { isShort: false }
  const replaced = new AbortController()
  const { ask } = openChannel({
    other: process,
    answer: (question) => Promise.all((answers.get(question) ?? []).map((answer) => answer())),
    onTold: (message) => {
      if (message.kind === 'disk') disk.isShort = message.isShort
      else replaced.abort('replaced')
    },
  })
  return {
    siblings: {
      ask,
      onAsked: (question, answer) => void answers.set(question, [...(answers.get(question) ?? []), answer]),
    },
    disk,
    replaced: replaced.signal,
  }
}

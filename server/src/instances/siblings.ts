// These are the other processes of this machine, as one of them sees them (INSTANCES).

import type { Disk } from '../db/embedded/reserve.ts'
import { openChannel, type Question } from './channel.ts'

export interface Siblings {
  /** Returns the answers of all others that came in time; none when this process is alone. */
  ask: (question: Question) => Promise<unknown[]>
  /** Answers a question of the others from now on. */
  onQuestion: (question: Question, answer: () => unknown) => void
}

/** This is for a process that has no siblings. */
export const alone: Siblings = { ask: async () => [], onQuestion: () => {} }

interface Family {
  siblings: Siblings
  /** This is the disk of the embedded database, which the supervisor measures. */
  disk: Disk
  /** This is aborted when the supervisor ends this process, because another one has taken its place. */
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
    onMessage: (message) => {
      if (message.kind === 'disk') disk.isShort = message.isShort
      else replaced.abort('replaced')
    },
  })
  return {
    siblings: {
      ask,
      onQuestion: (question, answer) =>
        void answers.set(question, [...(answers.get(question) ?? []), answer]),
    },
    disk,
    replaced: replaced.signal,
  }
}

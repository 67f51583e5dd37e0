// These are ten wallets in ordinary use: they write to each other, poll, count what is unread, and look up names.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Caller } from '../../testing/cases/callers.ts'

/** Milliseconds between two rounds of a neighbour. */
const between = 200

/** The results of the responses in some time. */
export interface Figures {
  /** The milliseconds of each response. */
  took: number[]
  /** The number of responses with another status than 200, by status; 0 stands for a broken connection. */
  failed: Map<number, number>
}

export interface Neighbours {
  /** Returns the figures since the last call. */
  figures: () => Figures
  /** The number of responses since then. */
  answers: () => number
  stop: () => Promise<void>
}

export function startNeighbours(callers: Caller[]): Neighbours {
  let current: Figures = { took: [], failed: new Map() }
  const stopping = new AbortController()

  function record({ status, took }: Answer): void {
    current.took.push(took)
    if (status !== 200) current.failed.set(status, (current.failed.get(status) ?? 0) + 1)
  }

  async function live(caller: Caller, i: number): Promise<void> {
    const me = caller.address
    const peer = callers[(i + 1) % callers.length]!.address
    await sleep((i * between) / callers.length)
    while (!stopping.signal.aborted) {
      const since = new Date(Date.now() - 5000).toISOString()
      record(await caller.post('/v1/create_chatitem', { fromaddr: me, toaddr: peer, message: 'gm' }))
      record(await caller.get(`/v1/getall_chatitems/${me}/${peer}/${since}`))
      record(await caller.get(`/v1/get_unread_cnt/${me}`))
      record(await caller.get(`/v1/name/${peer}`))
      await sleep(between)
    }
  }

  const running = Promise.all(callers.map(live))
  return {
    figures() {
      const past = current
      current = { took: [], failed: new Map() }
      return past
    },
    answers: () => current.took.length,
    async stop() {
      stopping.abort()
      await running
    },
  }
}

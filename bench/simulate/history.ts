// This is the history that the sample has when measuring begins.

import type { Answer, Job } from './player.ts'
import type { Watch } from './usage.ts'

export interface History {
  /** Messages between acquaintances. */
  messages: number
  /** The growth of each table by them, with its indexes, in bytes. */
  tables: Record<string, number>
  /** The seconds that the whole history took. */
  seconds: number
}

/**
 * Writes the history through the service. Tables are measured before anything is marked: a row that is marked is written again.
 * `progress` receives how much is done, from 0 to 1.
 */
export async function writeHistory(
  job: Job & { do: 'begin' },
  ask: (job: Job) => Promise<Answer>,
  watch: Watch,
  progress: (done: number) => void,
): Promise<History> {
  const began = performance.now()
  const parts = (await ask(job)).parts!
  const all = parts.reduce((sum, some) => sum + some, 0)
  let done = 0
  const write = async (count: number) => {
    let messages = 0
    for (let n = 0; n < count; n++) {
      progress(done / all)
      messages += (await ask({ do: 'history', part: done++ })).messages!
    }
    return messages
  }
  await write(parts[0]!)
  const before = await watch.sizes()
  const messages = await write(parts[1]!)
  const tables = Object.fromEntries(
    [...(await watch.sizes())].map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)]),
  )
  await write(parts[2]!)
  await watch.vacuum()
  return { messages, seconds: (performance.now() - began) / 1000, tables }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../server/src/db/pool.ts'
import { followStep } from '../server/src/live/follow.ts'

/** Takes steps until all messages that were sent are read, so that the jobs of their mails exist. */
export async function followAll(db: Db): Promise<void> {
  const until = Date.now() + 10_000
  for (let step; (step = await followStep(db)) !== 'settled';) {
    if (Date.now() > until) throw new Error('A transaction stays open, so the log is not settled.')
    if (step === 'waiting') await sleep(5)
  }
}

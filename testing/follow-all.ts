import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../server/src/db/pool.ts'
import { reader as mailReader } from '../server/src/features/notifications/reader.ts'
import { followStep, type Reader } from '../server/src/cluster/follow.ts'

/** Takes steps of a reader until it has read all that was sent. The default reads for mails, so that their jobs exist. */
export async function followAll(db: Db, reader: Reader = mailReader): Promise<void> {
  const until = Date.now() + 10_000
  for (let step; (step = await followStep(db, reader)) !== 'settled';) {
    if (Date.now() > until) throw new Error('A transaction stays open, so the log is not settled.')
    if (step === 'waiting') await sleep(5)
  }
}

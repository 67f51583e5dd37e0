import { setTimeout as sleep } from 'node:timers/promises'
import { type Db } from '../../server/src/db/pool.ts'
import { reader as mailReader } from '../../server/src/features/notifications/reader.ts'
import { followStep, type Reader } from '../../server/src/cluster/follow.ts'
import { pairBucket } from '../../server/src/values/bucket.ts'
import { expect, vi } from 'vitest'

/** Takes steps of a reader until it has read all that was sent. The default reads for mails, so that their jobs exist. */
export async function followAll(db: Db, reader: Reader = mailReader): Promise<void> {
  const until = Date.now() + 10_000
  for (let step; (step = await followStep(db, reader)) !== 'settled';) {
    if (Date.now() > until) throw new Error('A transaction stays open, so the log is not settled.')
    if (step === 'waiting') await sleep(5)
  }
}

/** For tests: returns the statement, with its parameters, that stores a message of a wallet to each of others; it returns ids. */
export const sending = (fromaddr: string, to: string[], message = 'gm'): [string, unknown[]] => [
  `select id from send_direct_messages_v1($1, $2, $3, $4, $5, $6, $6, $6, $6, $6, 0, null, null, null)`,
  [
    Date.now(),
    to.map((toaddr) => pairBucket(fromaddr, toaddr)),
    to.map(() => fromaddr),
    to,
    to.map(() => message),
    to.map(() => null),
  ],
]

/** Returns the milliseconds until something has arrived; it fails after ten seconds. */
export async function timeUntil(what: string, arrived: () => boolean): Promise<number> {
  const began = performance.now()
  await vi.waitFor(() => expect(arrived(), what).toBe(true), { timeout: 10_000, interval: 20 })
  return performance.now() - began
}

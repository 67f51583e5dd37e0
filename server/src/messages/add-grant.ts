// Adds what outlives a sign-in (auth/grants.ts). A store that adds a grant takes a GrantTx, and only the handler of an endpoint
// that declares `grants` in the contract gets one. So nothing is added without a recent sign-in, beside a sign-out everywhere, or
// without a notice to its owner.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { type Grant, grantNotices } from '@parley/sdk/contract/grants.ts'
import { lockGrants } from '../auth/grants.ts'
import { signOutNumber } from '../auth/sign-outs.ts'
import { requireRecent } from '../auth/standing.ts'
import type { Wallet } from '../auth/tokens.ts'
import type { Db } from '../db/pool.ts'
import { keyOf, ofWallet } from '../db/own-rows.ts'
import { enqueue } from '../jobs/queue.ts'
import { day } from '../lib/times.ts'
import { walletBucket } from '../values/bucket.ts'
import { drawEvents } from './events.ts'

declare const granted: unique symbol
/** This is a transaction in which a grant may be added. */
export type GrantTx<G extends Grant> = Db & { readonly [granted]: G }

/**
 * Adds a grant in a transaction of `db`; `work` returns undefined where it adds none. The owner reads `subject` in the notice, so
 * it holds no secret. Without it, a later call of `adding` sends the notice.
 */
export type Granting<G extends Grant> = <Made>(
  db: Db,
  subject: string | undefined,
  work: (tx: GrantTx<G>) => Promise<Made | undefined>,
) => Promise<Made | undefined>

export const grantingOf =
  <G extends Grant>(caller: Wallet, grant: G): Granting<G> =>
  (db, subject, work) => {
    requireRecent(caller)
    const add = () =>
      adding(db, caller.address, grant, async (tx, notify) => {
        if ((await signOutNumber(tx, caller.address)) > caller.signOut)
          throw new ApiError('unauthorized', 'This sign-in has ended. Sign in again.')
        const made = await work(tx)
        if (made !== undefined && subject !== undefined) await notify(subject)
        return made
      })
    // A transaction has its connection already.
    return db.inTransaction ? add() : inTurn(caller.address, add)
  }

const turns = new Map<string, Promise<unknown>>()

/** Runs one at a time for a wallet, so that those which wait for its lock hold no connections that others need. */
async function inTurn<T>(wallet: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(wallet)
  const mine = Promise.resolve(before?.catch(() => {})).then(work)
  turns.set(wallet, mine)
  try {
    return await mine
  } finally {
    if (turns.get(wallet) === mine) turns.delete(wallet)
  }
}

/** Call this directly only where the caller has proven the permission by other means than a token. */
export const adding = <G extends Grant, Made>(
  db: Db,
  wallet: string,
  grant: G,
  work: (tx: GrantTx<G>, notify: (subject: string) => Promise<void>) => Promise<Made>,
): Promise<Made> =>
  db.transaction(async (tx) => {
    const wbucket = walletBucket(wallet)
    const action = grantNotices[grant]
    const drawn = await drawEvents(tx, [{ wallet, event: { type: 'notice', action } }], [wbucket])
    await lockGrants(tx, wallet)
    const notify = async (subject: string) => {
      const [{ id } = {}] = await tx.query<{ id: number }>('select next_id_v1($1, $2::bigint) as id', [
        wbucket,
        drawn.others[0],
      ])
      await insertNotice(tx, wallet, { id: id!, action, subject })
      await drawn.announce()
      await enqueue(tx, 'send-access-mail', { walletaddr: wallet }, { key: `send-access-mail ${wallet}` })
    }
    return work(tx as GrantTx<G>, notify)
  })

const mostNotices = 100

async function insertNotice(
  tx: Db,
  wallet: string,
  { id, action, subject }: { id: number; action: string; subject: string },
): Promise<void> {
  const of = keyOf(wallet)
  await tx.query(
    'insert into access_notices (wbucket, walletaddr, id, ms, action, about) values ($1, $2, $3, $4, $5, $6)',
    [...of, id, tx.now(), action, subject],
  )
  await tx.query(
    `delete from access_notices where ${ofWallet} and id <= (
       select id from access_notices where ${ofWallet} order by id desc offset ${mostNotices} limit 1)`,
    of,
  )
}

/** Deletes notices that are a quarter of a year old. */
export const deleteOldAccessNotices = (db: Db) =>
  db.query('delete from access_notices where ms < $1', [db.now() - 90 * day])

// Adds what outlives a sign-in (auth/grants.ts). A store that adds a grant takes a GrantTx, and only the handler of an endpoint that
// declares `grants` in the contract is given one. So nothing is added without a recent sign-in, beside a sign-out everywhere, or
// without its owner being told.

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { type Grant, grantNotices } from '@parley/sdk/contract/grants.ts'
import { lockGrants } from '../auth/grants.ts'
import { signOutNumber } from '../auth/sign-outs.ts'
import { requireRecent } from '../auth/standing.ts'
import type { Wallet } from '../auth/tokens.ts'
import type { Db } from '../db/pool.ts'
import { enqueue } from '../jobs/queue.ts'
import { walletBucket } from '../values/bucket.ts'
import { eventJson } from './events.ts'

declare const granted: unique symbol
/** A transaction in which a grant may be added. */
export type GrantTx<G extends Grant> = Db & { readonly [granted]: G }

/**
 * Adds a grant in a transaction; `work` returns undefined where it adds none. `about` is what the owner reads of it: no secret.
 * Without it the owner is told later, by tellOfGrant.
 */
export type Granting<G extends Grant> = <Made>(
  about: string | undefined,
  work: (tx: GrantTx<G>) => Promise<Made | undefined>,
) => Promise<Made | undefined>

export const grantingOf =
  <G extends Grant>(db: Db, caller: Wallet, grant: G): Granting<G> =>
  (about, work) => {
    requireRecent(caller)
    return inTurn(caller.address, () =>
      adding(db, caller.address, grant, async (tx, tell) => {
        if ((await signOutNumber(tx, caller.address)) > caller.signOut)
          throw new ApiError('unauthorized', 'This sign-in has ended. Sign in again.')
        const made = await work(tx)
        if (made !== undefined && about !== undefined) await tell(about)
        return made
      }),
    )
  }

const turns = new Map<string, Promise<unknown>>()

/** One at a time for a wallet, so that those which wait for its lock hold no connections that others need. */
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

/** By itself only for who has proven to be allowed to by other means than a token. */
export const adding = <G extends Grant, Made>(
  db: Db,
  wallet: string,
  grant: G,
  work: (tx: GrantTx<G>, tell: (about: string) => Promise<void>) => Promise<Made>,
): Promise<Made> =>
  db.transaction(async (tx) => {
    const wbucket = walletBucket(wallet)
    // First, as whatever announces an event does: one number for the event, one for the notice.
    const [{ drawn } = {}] = await tx.query<{ drawn: string[] | null }>(
      'select draw_ids_v1($1, array[$2::integer, $2::integer]) as drawn',
      [tx.now(), wbucket],
    )
    await lockGrants(tx, wallet)
    const tell = async (about: string) => {
      const action = grantNotices[grant]
      const [{ id } = {}] = await tx.query<{ id: number }>('select next_id_v1($1, $2::bigint) as id', [
        wbucket,
        drawn?.[1] ?? null,
      ])
      await insertNotice(tx, wallet, { id: id!, action, about })
      await tx.query('select announce_v1($1, $2, $3, array[$4::text], $5) as announced', [
        tx.now(),
        wbucket,
        drawn && [drawn[0]],
        wallet,
        eventJson({ type: 'notice', action }),
      ])
      await enqueue(tx, 'send-access-mail', { walletaddr: wallet }, { key: `send-access-mail ${wallet}` })
    }
    return work(tx as GrantTx<G>, tell)
  })

const mostNotices = 100

async function insertNotice(
  tx: Db,
  wallet: string,
  { id, action, about }: { id: number; action: string; about: string },
): Promise<void> {
  const of = [walletBucket(wallet), wallet]
  await tx.query(
    'insert into access_notices (wbucket, walletaddr, id, ms, action, about) values ($1, $2, $3, $4, $5, $6)',
    [...of, id, tx.now(), action, about],
  )
  await tx.query(
    `delete from access_notices where wbucket = $1 and walletaddr = $2 and id <= (
       select id from access_notices where wbucket = $1 and walletaddr = $2 order by id desc offset ${mostNotices} limit 1)`,
    of,
  )
}

const day = 86_400_000

/** Deletes notices that are a quarter of a year old. */
export const deleteOldAccessNotices = (db: Db) =>
  db.query('delete from access_notices where ms < $1', [db.now() - 90 * day])

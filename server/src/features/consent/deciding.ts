// This module decides about all requests of a wallet at once.

import type { DecidedRequests } from '@parley/sdk/contract/consent.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf } from '../../db/own-rows.ts'
import { requests } from '../../messages/conversations.ts'
import { eventJson } from '../../messages/events.ts'
import { states } from './contact.ts'

/** The maximum number of requests that one call decides. */
const portion = 1000

const requestsByBucket = `
  select bucket, json_agg(id order by id) as ids, count(*) as found
  from (select * from (${requests}) all_of_them order by bucket, id limit $2) r group by bucket order by bucket`

const countRequests = `select count(*) as left from (${requests}) r`

/** Gives the requests of a wallet another state: each bucket by itself, in the same order everywhere. */
export async function decideRequests(
  db: Db,
  wallet: string,
  state: 'accepted' | 'ignored',
): Promise<DecidedRequests> {
  const buckets = await db.query<{ bucket: number; ids: number[] }>(requestsByBucket, [wallet, portion])
  let decided = 0
  for (const { bucket, ids } of buckets) {
    const [row] = await db.layout.copies.changingSilently(db, bucket, ids, (tx) =>
      tx.query<{ decided: number }>('select decide_requests_v1($1, $2, $3, $4::smallint) as decided', [
        bucket,
        ids,
        wallet,
        states.indexOf(state),
      ]),
    )
    decided += row!.decided
  }
  if (decided > 0)
    await db.query('select announce_contacts_v1($1, $2, $3, $4) as announced', [
      db.now(),
      ...keyOf(wallet),
      eventJson({ type: 'inbox' }),
    ])
  const [{ left } = { left: 0 }] = await db.query<{ left: number }>(countRequests, [wallet])
  return { decided, left }
}

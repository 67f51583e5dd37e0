// This describes the floors below the features as a feature: their tables and their work beside requests.

import { deleteOldSignOuts } from './auth/sign-outs.ts'
import { deleteOldSanctions } from './auth/standing.ts'
import { followCopies } from './cluster/follow.ts'
import { undoKilledCut } from './db/cut.ts'
import { deleteNaming, deleteOwn } from './db/own-rows.ts'
import type { Db } from './db/pool.ts'
import { feature, ofNoWallet } from './feature.ts'
import { deleteExpiredKeys } from './http/idempotency.ts'
import { deleteDeadJobs, deleteEmptyQueues } from './jobs/queue.ts'
import { deleteOldUsage, moveUsage, rowOfErased } from './limits/daily-usage.ts'
import { deleteOldFirstContacts } from './limits/first-contacts.ts'
import { deleteOldAccessNotices } from './messages/add-grant.ts'
import { deleteOldRestrictions } from './messages/chat-rules.ts'
import { deleteOldEvents } from './messages/events.ts'
import { deleteSeenChanges } from './messages/unseen.ts'
import { allBuckets, bucketOf } from './values/bucket.ts'

/**
 * Deletes keys of messages, which lie with the messages: in any bucket. The statement names all buckets, to use the primary key.
 */
async function forgetKeys(tx: Db, wallet: string): Promise<void> {
  await tx.query('delete from idempotency_keys where bucket = any($1::integer[]) and caller = $2', [
    allBuckets,
    wallet,
  ])
  // Spec gap: the key of an admin's request stays, so that a late repetition does not run again.
  await tx.query(
    `update idempotency_keys set answer = '[]'
     where bucket = $1 and caller = 'admin' and key > 'updateSettings ' and key < 'updateSettings!'
       and answer::jsonb @> $2::jsonb`,
    [bucketOf('admin'), JSON.stringify([{ walletaddr: wallet }])],
  )
}

export const floors = feature({
  loops: (ctx) => [followCopies(ctx)],
  chores: [
    deleteExpiredKeys,
    deleteOldEvents,
    deleteOldSignOuts,
    deleteOldSanctions,
    deleteOldRestrictions,
    deleteOldUsage,
    deleteOldFirstContacts,
    deleteOldAccessNotices,
    deleteSeenChanges,
    deleteDeadJobs,
    deleteEmptyQueues,
    (db) => db.layout.copies.deleteGone(db),
    undoKilledCut,
  ],
  tables: {
    // db
    buckets: ofNoWallet('fixed'),
    kysely_migration: ofNoWallet('fixed'),
    kysely_migration_lock: ofNoWallet('fixed'),
    // auth
    sign_outs: {
      exported: 'a number, for a day',
      erased: 'stays for a day',
      stays: 'keeps its earlier tokens out; a day',
      ends: { column: 'ms', days: 25 / 24 },
      access: 'takes away',
    },
    // limits
    rate_limits: {
      exported: 'recent requests, for minutes',
      erased: 'stays for minutes',
      stays: 'recent requests; minutes',
      ends: { column: 'ms', days: 10 / 1440 },
      access: 'numbers',
    },
    wallet_usage: {
      exported: 'numbers of a day',
      // Erasing does not renew quotas.
      erased: (tx, wallet, hash) => moveUsage(tx, wallet, rowOfErased(hash)),
      ends: { column: 'day', days: 0 },
      access: 'numbers',
    },
    first_contacts: {
      exported: 'numbers of a month',
      erased: deleteOwn('first_contacts'),
      ends: { column: 'day', days: 30 },
      access: 'numbers',
    },
    // mail
    mail_hours: ofNoWallet('fixed'),
    // messages
    imports: ofNoWallet('bound', 'which export is in a chat'),
    events: {
      exported: 'what it is about is exported',
      erased: deleteNaming('events'),
      stays: 'what happened to others; a day',
      ends: { column: 'ms', days: 1 },
      access: 'for open streams, which end with their token',
    },
    events_forgotten: ofNoWallet('fixed'),
    // live
    log_readers: ofNoWallet('fixed'),
    // http
    idempotency_keys: {
      exported: 'answers, which are exported as what they are about',
      erased: forgetKeys,
      stays: 'what others sent to it; a day',
      ends: { column: 'expires_ms', days: 0 },
      access: 'answers; to read one takes a token',
    },
  },
})

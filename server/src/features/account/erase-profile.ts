import { endGrants } from '../../auth/grants.ts'
import { deleteJobsFor } from '../../jobs/queue.ts'
import type { Db } from '../../db/pool.ts'
import { moveUsage, rowOfErased } from '../../limits/usage.ts'
import { eventJson } from '../../messages/events.ts'
import { allBuckets, bucketOf, walletBucket } from '../../values/bucket.ts'

/** What lies with the wallet: `wbucket` is $1, the wallet $2. */
const ofWallet = [
  `delete from settings where wbucket = $1 and walletaddr = $2`,
  `select delete_profile_v1($1, $2) as deleted`,
  `delete from access_notices where wbucket = $1 and walletaddr = $2`,
  `delete from drafts where wbucket = $1 and walletaddr = $2`,
  `delete from keys where wbucket = $1 and address = $2`,
  `delete from wallets_seen where wbucket = $1 and address = $2`,
  `delete from chain_facts where wbucket = $1 and address = $2`,
  `delete from notification_rules where wbucket = $1 and walletaddr = $2`,
  `delete from push_marks where wbucket = $1 and walletaddr = $2`,
  `delete from contacts where wbucket = $1 and walletaddr = $2`,
  `delete from first_contacts where wbucket = $1 and walletaddr = $2`,
]

/** What lies elsewhere: the wallet is $1. */
const elsewhere = [
  // Spec gap: how many mails an address got today is kept (as a hash) until the end of the day, to
  // protect its owner.
  `delete from mail_quotas where key = 'wallet ' || $1`,
  `delete from dm_mails where toaddr = $1`,
  `delete from chat_commands where walletaddr = $1`,
  `delete from events where walletaddr = $1`,
  `delete from bots where walletaddr = $1`,
]

/** Erases the wallet's own rows, and stores under a keyed hash that it was erased. */
export async function eraseProfile(tx: Db, wallet: string, hash: Buffer): Promise<void> {
  const [now, wbucket] = [tx.now(), walletBucket(wallet)]
  // First, as whatever announces an event does.
  const [{ drawn } = {}] = await tx.query<{ drawn: string[] | null }>(
    'select draw_ids_v1($1, array[$2::integer]) as drawn',
    [now, wbucket],
  )
  await endGrants(tx, wallet)
  for (const statement of ofWallet) await tx.query(statement, [wbucket, wallet])
  for (const statement of elsewhere) await tx.query(statement, [wallet])
  // Erasing does not renew quotas.
  await moveUsage(tx, wallet, rowOfErased(hash))
  await forgetCommunities(tx, wallet)
  await forgetModeration(tx, wallet)
  await passOnChats(tx, wallet)
  await forgetReporter(tx, wallet, hash)
  await forgetKeys(tx, wallet)
  await deleteJobsFor(tx, wallet)
  await tx.query(
    `insert into erasures (wallet_hash, erased_ms) values ($1, $2)
     on conflict (wallet_hash) do update set erased_ms = excluded.erased_ms`,
    [hash, now],
  )
  // Open event streams of this wallet must start over, and are closed.
  await tx.query('select announce_v1($1, $2, $3, array[$4::text], $5) as announced', [
    now,
    wbucket,
    drawn,
    wallet,
    eventJson({ type: 'resync', change: 'erased' }),
  ])
}

/**
 * Spec gap: a community belongs to its members too. It stays with its name, which is not free again, and its picture; what its
 * creator has said about it goes. Without a moderator no one may change it (passOnChats).
 */
async function forgetCommunities(tx: Db, wallet: string): Promise<void> {
  const created = await tx.query<{ chat: string }>(
    `update communities set creator = null, social = '[]' where creator = $1 returning chat`,
    [wallet],
  )
  if (created.length > 0)
    await tx.query('delete from community_tweets where chat = any($1::text[])', [
      created.map(({ chat }) => chat),
    ])
}

/** What it wrote as a moderator, and that it was it. What others have decided stays, about an erased wallet. */
async function forgetModeration(tx: Db, wallet: string): Promise<void> {
  await tx.query(
    `update chat_restrictions r set reason = '', ms = $2 from chat_log l
     where l.bucket = r.bucket and l.chat = r.chat and l.actor = $1 and l.subject = r.walletaddr and l.reason = r.reason
       and r.reason <> ''`,
    [wallet, tx.now()],
  )
  await tx.query(`update chat_log set actor = '', reason = '' where actor = $1`, [wallet])
  await tx.query(`update chat_log set subject = '' where subject = $1`, [wallet])
  await tx.query(
    'delete from chat_restrictions where walletaddr = $1 and greatest(muted_until_ms, banned_until_ms) < $2',
    [wallet, tx.now()],
  )
}

/** Of the chats that it owned the owner is then who has moderated longest. */
async function passOnChats(tx: Db, wallet: string): Promise<void> {
  const owned = await tx.query<{ bucket: number; chat: string }>(
    `select bucket, chat from chat_roles where walletaddr = $1 and role = 'owner' order by bucket, chat`,
    [wallet],
  )
  await tx.query('delete from chat_roles where walletaddr = $1', [wallet])
  for (const { bucket, chat } of owned) {
    const [next] = await tx.query<{ walletaddr: string }>(
      `select walletaddr from chat_roles where bucket = $1 and chat = $2 and role = 'moderator'
       order by since_ms, walletaddr limit 1 for update`,
      [bucket, chat],
    )
    if (!next) continue
    const to = [bucket, chat, next.walletaddr]
    await tx.query(
      `update chat_roles set role = 'owner' where bucket = $1 and chat = $2 and walletaddr = $3`,
      to,
    )
    await tx.query('update communities set creator = $3 where bucket = $1 and chat = $2', to)
  }
}

const reportsKept = 90 * 86_400_000

/** What it disclosed is kept for a while under a keyed hash of it; its appeals name it, so they go. */
async function forgetReporter(tx: Db, wallet: string, hash: Buffer): Promise<void> {
  await tx.query(`delete from reports where reporter = $1 and subject = $1`, [wallet])
  await tx.query(
    // Of a direct message the evidence names whom it was sent to: that is the reporter.
    `update reports set reporter = null, reporter_hash = $2, expires_ms = least(coalesce(expires_ms, $3), $3),
       evidence = replace(evidence, $4, '"toaddr":""') where reporter = $1`,
    [wallet, hash, tx.now() + reportsKept, `"toaddr":${JSON.stringify(wallet)}`],
  )
}

/** Keys of messages lie with the messages: in any bucket. All are named, to keep to the primary key. */
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

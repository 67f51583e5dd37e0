// Erasing a wallet.
//
// It runs in steps, each a transaction that may be repeated: first the large tables, in portions of
// one bucket that hold their locks only for a moment, then everything else at once. After an
// interruption the wallet starts it again.
//
// A conversation belongs to both of its ends. To erase one side hides from that wallet everything
// up to the newest message, by one number in the conversation's row, and leaves the other side
// complete. Messages that neither end can see any more are deleted, and then the row, which says who wrote
// to whom. Rows are locked in the same order as by sending.

import type { Db } from '../../db/pool.ts'
import { walletBucket } from '../../values/bucket.ts'
import { eraseProfile } from './erase-profile.ts'

/** How many conversations, threads of comments or chats are locked at once. */
const portion = 200
/** How many messages are deleted at once. */
const mostDeleted = 2000

/** Erases a wallet. Only `hash` is kept of it. */
export async function eraseWallet(db: Db, wallet: string, hash: Buffer): Promise<void> {
  await eraseConversations(db, wallet)
  await deleteComments(db, wallet)
  await leaveChats(db, wallet)
  await forgetVisits(db, wallet)
  await db.transaction((tx) => eraseProfile(tx, wallet, hash))
}

async function eraseConversations(db: Db, wallet: string): Promise<void> {
  const all = await portions<number>(
    db,
    `select bucket, id as key from conversations where a = $1 or b = $1 order by bucket, a, b`,
    [wallet],
  )
  for (const { bucket, keys } of all) {
    await locking(db, bucket, keys, (tx) => tx.query(eraseSide, [bucket, keys, wallet]))
    for (const unseen of [erasedByBoth, erasedAndHidden])
      while ((await db.query(deleteAll(unseen), [bucket, keys, mostDeleted])).length > 0);
    await locking(db, bucket, keys, (tx) => tx.query(deleteEmpty, [bucket, keys, tx.now()]))
  }
}

/** Two statements: the second must see what was sent while the first waited for the locks. */
const locking = (db: Db, bucket: number, ids: number[], act: (tx: Db) => Promise<unknown>) =>
  db.transaction(async (tx) => {
    await tx.query(
      `select id from conversations where bucket = $1 and id = any($2::bigint[]) order by a, b for update`,
      [bucket, ids],
    )
    await act(tx)
  })

// Removes the copy of the last message too: it may be one that the next statement deletes, and that
// one changes no conversation.
const eraseSide = `
  update conversations c set
    erased_a = case when c.a = $3 then ${newest('c.erased_a')} else c.erased_a end,
    erased_b = case when c.b = $3 then ${newest('c.erased_b')} else c.erased_b end,
    unread_a = case when c.a = $3 then 0 else c.unread_a end,
    unread_b = case when c.b = $3 then 0 else c.unread_b end,
    last_item = null, emptied_ms = null, emptied_by_a = null
  where c.bucket = $1 and c.id = any($2::bigint[])`

/**
 * The id of the newest message, or the one up to which all was erased before. Ordered by the whole
 * primary key, as in direct-messages/lists.ts: else the planner may walk through everybody's ids.
 */
function newest(erased: string): string {
  return `greatest(${erased}, (
      select m.id from direct_messages m where m.bucket = $1 and m.conversation_id = c.id
      order by m.bucket desc, m.conversation_id desc, m.id desc limit 1))`
}

// What neither end can see any more: both have erased it, or one of them and the other has deleted it
// for itself.
const erasedByBoth = 'm.id <= least(c.erased_a, c.erased_b)'
const erasedAndHidden = `(m.hidden_from_sender or m.hidden_from_recipient)
  and m.id <= case when m.hidden_from_sender = (m.fromaddr = c.a) then c.erased_b else c.erased_a end`

const deleteAll = (unseen: string) => `
  delete from direct_messages where bucket = $1 and id = any(array(
    select m.id from conversations c cross join lateral (
      select m.id from direct_messages m
      where m.bucket = $1 and m.conversation_id = c.id and ${unseen}
      order by m.bucket, m.conversation_id, m.id limit $3
    ) m
    where c.bucket = $1 and c.id = any($2::bigint[]) limit $3))
  returning 1 as deleted`

// A row whose time is ahead of the clock is kept, so the times of later messages are greater.
const deleteEmpty = `
  delete from conversations c where c.bucket = $1 and c.id = any($2::bigint[]) and c.last_ms < $3
    and not exists (select from direct_messages m where m.bucket = $1 and m.conversation_id = c.id)`

async function deleteComments(db: Db, wallet: string): Promise<void> {
  const all = await portions<number>(
    db,
    `select distinct bucket, thread_id as key from comments where fromaddr = $1 order by bucket, thread_id`,
    [wallet],
  )
  for (const { bucket, keys } of all)
    await db.query(
      `select delete_comments_v1($1, id, $3) as deleted from unnest($2::bigint[]) with ordinality as k (id, n) order by n`,
      [bucket, keys, wallet],
    )
}

async function leaveChats(db: Db, wallet: string): Promise<void> {
  const joined = 'from bookmarks where wbucket = $1 and walletaddr = $2'
  const own = [walletBucket(wallet), wallet]
  const all = await portions<string>(db, `select bucket, chat as key ${joined} order by bucket, chat`, own)
  for (const { bucket, keys } of all)
    await db.transaction(async (tx) => {
      const left = await tx.query<{ chat: string }>(`delete ${joined} and chat = any($3) returning chat`, [
        ...own,
        keys,
      ])
      const chats = left.map(({ chat }) => chat)
      const ofBucket = [bucket, chats]
      await tx.query(
        `select chat from group_chats where bucket = $1 and chat = any($2) order by chat for update`,
        ofBucket,
      )
      await tx.query(
        `update group_chats set members = members - 1 where bucket = $1 and chat = any($2)`,
        ofBucket,
      )
      await lockVisits(tx, [...ofBucket, wallet])
      await tx.query(`update group_visits set joined = false where ${ofChats}`, [...ofBucket, wallet])
    })
}

/**
 * The wallet's messages in chats remain, so their number is no secret; it keeps unread counts right
 * if the wallet returns.
 */
async function forgetVisits(db: Db, wallet: string): Promise<void> {
  const all = await portions<string>(
    db,
    `select bucket, chat as key from group_visits where walletaddr = $1 order by bucket, chat`,
    [wallet],
  )
  for (const { bucket, keys } of all)
    await db.transaction(async (tx) => {
      const of = [bucket, keys, wallet]
      await lockVisits(tx, of)
      // It may have joined again meanwhile.
      await tx.query(`delete from group_visits where ${ofChats} and posted = 0 and not joined`, of)
      await tx.query(
        `update group_visits set seen_id = 0, entry_ms = null, seen = 0, seen_own = 0 where ${ofChats}`,
        of,
      )
    })
}

/** Its visits of chats of one bucket. */
const ofChats = 'bucket = $1 and chat = any($2) and walletaddr = $3'

const lockVisits = (tx: Db, of: unknown[]) =>
  tx.query(`select chat from group_visits where ${ofChats} order by chat for update`, of)

interface Portion<Key> {
  bucket: number
  keys: Key[]
}

/** The rows of a query in its order, in portions of one bucket. */
async function portions<Key>(db: Db, rows: string, values: unknown[]): Promise<Portion<Key>[]> {
  const found = await db.query<Portion<Key>>(
    `select bucket, json_agg(key order by n) as keys from (select *, row_number() over () as n from (${rows}) r) rows
     group by bucket order by bucket`,
    values,
  )
  return found.flatMap(({ bucket, keys }) =>
    Array.from({ length: Math.ceil(keys.length / portion) }, (_, i) => ({
      bucket,
      keys: keys.slice(i * portion, (i + 1) * portion),
    })),
  )
}

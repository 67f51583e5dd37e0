// Erasing a wallet.
//
// It runs in steps, each a transaction that may be repeated: first the large tables, in portions
// that hold their locks only for a moment, then everything else at once. After an interruption the
// wallet starts it again.
//
// A conversation belongs to both of its ends. To erase one side hides from that wallet everything
// up to the newest message, by one number in the conversation's row, and leaves the other side
// complete. Messages that both ends have erased are deleted, and then the row, which says who wrote
// to whom. Rows are locked in the same order as by sending.

import type { Db } from '../../db/pool.ts'
import { eraseProfile } from './erase-profile.ts'

/** How many conversations or threads of comments are locked at once. */
const portion = 200
/** How many messages are deleted at once. */
const mostDeleted = 2000

/** Erases a wallet. Only `hash` is kept of it. */
export async function eraseWallet(db: Db, wallet: string, hash: Buffer): Promise<void> {
  await eraseConversations(db, wallet)
  await deleteComments(db, wallet)
  await db.transaction((tx) => eraseProfile(tx, wallet, hash))
}

async function eraseConversations(db: Db, wallet: string): Promise<void> {
  for (const ids of await portions(
    db,
    `select id from conversations where a = $1 or b = $1 order by a, b`,
    wallet,
  )) {
    await locking(db, ids, (tx) => tx.query(eraseSide, [ids, wallet]))
    while ((await db.query(deleteErasedByBoth, [ids, mostDeleted])).length > 0);
    await locking(db, ids, (tx) => tx.query(deleteEmpty, [ids]))
  }
}

/** Two statements: the second must see what was sent while the first waited for the locks. */
const locking = (db: Db, ids: number[], act: (tx: Db) => Promise<unknown>) =>
  db.transaction(async (tx) => {
    await tx.query(`select id from conversations where id = any($1::bigint[]) order by a, b for update`, [
      ids,
    ])
    await act(tx)
  })

// Removes the copy of the last message too: the next statement deletes without the lock, and its
// trigger must find no copy to remove.
const eraseSide = `
  update conversations c set
    erased_a = case when c.a = $2 then last.id else c.erased_a end,
    erased_b = case when c.b = $2 then last.id else c.erased_b end,
    unread_a = case when c.a = $2 then 0 else c.unread_a end,
    unread_b = case when c.b = $2 then 0 else c.unread_b end,
    last_item = null
  from unnest($1::bigint[]) k (id) cross join lateral (
    select id from direct_messages m where m.conversation_id = k.id order by m.conversation_id desc, m.id desc limit 1
  ) last
  where c.id = k.id`

const deleteErasedByBoth = `
  delete from direct_messages where id = any(array(
    select m.id from unnest($1::bigint[]) k (id) join conversations c using (id) cross join lateral (
      select id from direct_messages where conversation_id = c.id and id <= least(c.erased_a, c.erased_b)
    ) m limit $2))
  returning 1 as deleted`

// A row whose time is ahead of the clock is kept, so the times of later messages are greater.
const deleteEmpty = `
  delete from conversations c where c.id = any($1::bigint[]) and c.last_time < now()
    and not exists (select from direct_messages m where m.conversation_id = c.id)`

async function deleteComments(db: Db, wallet: string): Promise<void> {
  for (const ids of await portions(
    db,
    `select distinct thread_id as id from comments where fromaddr = $1 order by id`,
    wallet,
  ))
    await db.transaction(async (tx) => {
      await tx.query(`select id from comment_threads where id = any($1::bigint[]) order by id for update`, [
        ids,
      ])
      await tx.query(
        `with deleted as (
           delete from comments where fromaddr = $2 and thread_id = any($1::bigint[]) returning thread_id
         )
         update comment_threads t set comments = t.comments - d.count
         from (select thread_id, count(*) from deleted group by thread_id) d where t.id = d.thread_id`,
        [ids, wallet],
      )
    })
}

async function portions(db: Db, idsOf: string, wallet: string): Promise<number[][]> {
  const [{ ids } = { ids: [] }] = await db.query<{ ids: number[] }>(
    `select coalesce(json_agg(id), '[]') as ids from (${idsOf}) rows`,
    [wallet],
  )
  return Array.from({ length: Math.ceil(ids.length / portion) }, (_, i) =>
    ids.slice(i * portion, (i + 1) * portion),
  )
}

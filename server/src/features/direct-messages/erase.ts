// This module erases a wallet's side of its conversations: see account/erase.ts.

import type { Db } from '../../db/pool.ts'
import type { Holds } from '../../messages/holds.ts'
import { portions } from '../../db/bucket-portions.ts'

/** The maximum number of messages that one statement deletes. */
const mostDeleted = 2000

export async function eraseConversations(db: Db, wallet: string, holds: Holds): Promise<void> {
  const all = await portions<number>(
    db,
    `select bucket, id as key from conversations where a = $1 or b = $1 order by bucket, a, b`,
    [wallet],
  )
  for (const { bucket, keys } of all) {
    await locking(db, bucket, keys, async (tx) => {
      await tx.query(eraseSide, [bucket, keys, wallet])
      if (!holds.includes(wallet)) await tx.query(forgetOwn, [bucket, keys, wallet])
    })
    for (const unseen of [erasedByBoth, erasedAndHidden])
      if (holds.length > 0)
        await locking(db, bucket, keys, async (tx) => {
          await tx.query(keepAll(unseen), [bucket, keys, holds, tx.now()])
          await deletePortions(tx, unseen, bucket, keys)
        })
      else await deletePortions(db, unseen, bucket, keys)
    await locking(db, bucket, keys, async (tx) => {
      await tx.query(deleteEmpty, [bucket, keys, tx.now()])
      await tx.query(forgetEmpty, [bucket, keys, tx.now()])
    })
  }
}

async function deletePortions(db: Db, unseen: string, bucket: number, ids: number[]): Promise<void> {
  const deleteSome = async (tx: Db) => {
    const deleted = await tx.query<{ id: number }>(deleteAll(unseen), [bucket, ids, mostDeleted])
    if (deleted.length === 0) return false
    await tx.query('select forget_marks_v1($1, $2::bigint[]) as forgotten', [
      bucket,
      deleted.map(({ id }) => id),
    ])
    return true
  }
  while (await db.transaction(deleteSome));
}

/** There are two statements: the second must see what was sent while the first waited for the locks. */
const locking = (db: Db, bucket: number, ids: number[], act: (tx: Db) => Promise<unknown>) =>
  db.layout.copies.changingSilently(db, bucket, ids, (changed) =>
    changed.transaction(async (tx) => {
      await tx.query(
        `select id from conversations where bucket = $1 and id = any($2::bigint[]) order by a, b for update`,
        [bucket, ids],
      )
      await act(tx)
    }),
  )

// This removes the copy of the last message too: it may be one that the next statement deletes, and that one changes no
// conversation.
const eraseSide = `
  update conversations c set
    erased_a = case when c.a = $3 then ${newest('c.erased_a')} else c.erased_a end,
    erased_b = case when c.b = $3 then ${newest('c.erased_b')} else c.erased_b end,
    left_a = case when c.a = $3 then ${newest('c.erased_a')} else c.left_a end,
    left_b = case when c.b = $3 then ${newest('c.erased_b')} else c.left_b end,
    unread_a = case when c.a = $3 then 0 else c.unread_a end,
    unread_b = case when c.b = $3 then 0 else c.unread_b end,
    last_item = null, emptied_ms = null, emptied_by_a = null,
    state_a = case when c.a = $3 then 0 else c.state_a end,
    state_b = case when c.b = $3 then 0 else c.state_b end,
    asked_a = case when c.b = $3 then 0 else c.asked_a end,
    asked_b = case when c.a = $3 then 0 else c.asked_b end,
    asked_bytes_a = case when c.b = $3 then 0 else c.asked_bytes_a end,
    asked_bytes_b = case when c.a = $3 then 0 else c.asked_bytes_b end,
    blocked_a = c.blocked_a and c.a <> $3,
    blocked_b = c.blocked_b and c.b <> $3
  where c.bucket = $1 and c.id = any($2::bigint[])`

// The other end reads on what it has seen. What the wallet alone saw of its edits goes (migrations/0019_edits.sql).
const forgetOwn = `
  update direct_messages set own = null, edits = without_own_v1(edits), marks = marks & ~16
  where bucket = $1 and conversation_id = any($2::bigint[]) and marks & 16 <> 0 and fromaddr = $3`

/**
 * SQL for the id of the newest message, or the one up to which all was erased before. It orders by the whole primary key, as in
 * direct-messages/lists.ts: else the planner may walk through everybody's ids.
 */
function newest(erased: string): string {
  return `greatest(${erased}, (
      select m.id from direct_messages m where m.bucket = $1 and m.conversation_id = c.id
      order by m.bucket desc, m.conversation_id desc, m.id desc limit 1))`
}

// Neither end can see these messages any more: both have erased them, or one has and the other has deleted them for itself.
const erasedByBoth = 'm.id <= least(c.erased_a, c.erased_b)'
const erasedAndHidden = `(m.hidden_from_sender or m.hidden_from_recipient)
  and m.id <= case when m.hidden_from_sender = (m.fromaddr = c.a) then c.erased_b else c.erased_a end`

const keepAll = (unseen: string) => `
  insert into held_messages (bucket, id, fromaddr, toaddr, item, cause, kept_ms)
  select m.bucket, m.id, m.fromaddr, m.toaddr, to_json(m), 'erasure', $4
  from conversations c join direct_messages m on m.bucket = c.bucket and m.conversation_id = c.id
  where c.bucket = $1 and m.bucket = $1 and c.id = any($2::bigint[]) and ${unseen}
    and (m.fromaddr = any($3::text[]) or m.toaddr = any($3::text[]))
  on conflict (bucket, id) do nothing`

const deleteAll = (unseen: string) => `
  delete from direct_messages where bucket = $1 and id = any(array(
    select m.id from conversations c cross join lateral (
      select m.id from direct_messages m
      where m.bucket = $1 and m.conversation_id = c.id and ${unseen}
      order by m.bucket, m.conversation_id, m.id limit $3
    ) m
    where c.bucket = $1 and c.id = any($2::bigint[]) limit $3))
  returning id`

// A row whose time is ahead of the clock stays, so the times of later messages are greater.
const isEmpty = `
  c.bucket = $1 and c.id = any($2::bigint[]) and c.last_ms < $3
    and not exists (select 1 from direct_messages m where m.bucket = $1 and m.conversation_id = c.id)`

const deleteEmpty = `
  delete from conversations c where ${isEmpty}
    and c.state_a = 0 and c.state_b = 0 and not c.blocked_a and not c.blocked_b`

// The choice of the other end stays, such as to block the wallet that is erased. Else the row is as if nobody had written: should
// the wallet come back, it does not find that the other has chosen something.
const forgetEmpty = `
  update conversations c set began_ms = 0, began_by_a = null, last_id = null, last_item = null, copy_ms = null,
    withheld_since_a = null, withheld_since_b = null
  where ${isEmpty}`

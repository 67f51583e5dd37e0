import { portions } from '../../db/bucket-portions.ts'
import { byPages } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import { ofNoWallet, type Tables } from '../../feature.ts'
import type { Holds } from '../../messages/holds.ts'
import { instant } from '../../messages/shared-sql.ts'
import { lockVisits, ofVisits } from '../../messages/chat-access.ts'
import { findImportedLines, findPostLines } from './post-lines.ts'

/** Selects the chats in which the wallet has posted or which it has entered, and when it last did. */
const findVisitLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_build_object('nftaddr', coalesce(c.nftaddr, v.chat), 'posted', v.posted + v.withheld, 'entry_time', ${instant('v.entry_ms')},
       'announcements', v.announcements)::text as item,
       json_build_array(v.chat) as place
     from group_visits v left join group_chats c on c.bucket = v.bucket and c.chat = v.chat
     where v.walletaddr = $1 and v.chat > $2 and (v.posted + v.withheld > 0 or v.entry_ms is not null or v.announcements) order by v.chat`,
    [''],
  )

/**
 * Forgets the visits of a wallet. Its messages in chats remain, so their number is no secret; it makes unread counts right if the
 * wallet returns.
 */
async function forgetVisits(db: Db, wallet: string, holds: Holds): Promise<void> {
  const all = await portions<string>(
    db,
    `select bucket, chat as key from group_visits where walletaddr = $1 order by bucket, chat`,
    [wallet],
  )
  for (const { bucket, keys } of all)
    await db.transaction(async (tx) => {
      const of = [bucket, keys, wallet]
      await lockVisits(tx, of)
      if (holds.length > 0) await tx.query(keepWithheld, [...of, holds, tx.now()])
      // Nobody but the wallet has seen these.
      const gone = await tx.query<{ id: number }>(
        `delete from withheld_posts where bucket = $1 and chat = any($2) and fromaddr = $3 returning id`,
        of,
      )
      await tx.query('select forget_marks_v1($1, $2::bigint[])', [bucket, gone.map(({ id }) => id)])
      await tx.query(forgetOwn, [...of, holds])
      // It may have joined again meanwhile.
      await tx.query(`delete from group_visits where ${ofVisits} and posted = expired_own and not joined`, of)
      await tx.query(
        `update group_visits set seen_id = 0, entry_ms = null, seen = 0, seen_own = 0, withheld = 0, seen_withheld = 0,
           withheld_id = 0, has_left = false, announcements = false where ${ofVisits}`,
        of,
      )
    })
}

const keepWithheld = `
  insert into held_messages (bucket, id, chat, fromaddr, item, cause, kept_ms)
  select bucket, id, chat, fromaddr, to_json(m), 'erasure', $5 from withheld_posts m
  where bucket = $1 and chat = any($2) and fromaddr = $3 and removed_by is null
    and (chat = any($4::text[]) or split_part(chat, '/', 1) = any($4::text[]) or fromaddr = any($4::text[]))
  on conflict (bucket, id) do nothing`

// The others read on what they have seen. What the wallet alone saw of its edits goes (migrations/0019_edits.sql).
const forgetOwn = `
  update group_messages set own = null, edits = without_own_v1(edits), marks = marks & ~16
  where bucket = $1 and chat = any($2) and marks & 16 <> 0 and fromaddr = $3
    and chat <> all($4::text[]) and split_part(chat, '/', 1) <> all($4::text[]) and fromaddr <> all($4::text[])`

export const tables: Tables = {
  group_chats: {
    ...ofNoWallet('bound', 'messages'),
    stays: 'who posted the newest message, as group_messages',
  },
  group_messages: {
    exported: {
      lines: { 'group-messages.jsonl': findPostLines, 'imported-messages.jsonl': findImportedLines },
    },
    erased: 'posts stay under the bare address, without what the wallet alone saw of their edits',
    stays: 'what it posted in chats, under the bare address',
    ends: 'retention',
    access: 'messages',
  },
  group_visits: {
    exported: { lines: { 'visits.jsonl': findVisitLines } },
    erased: { before: forgetVisits },
    stays: 'how many posts it has there',
    ends: 'bound',
    access: 'numbers',
  },
  withheld_posts: {
    exported: 'in group-messages.jsonl',
    erased: 'with visits',
    ends: 'retention',
    access: 'messages',
  },
}

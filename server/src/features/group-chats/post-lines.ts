import { keysOf, pageBytes } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import { earlier, versionsOfPost } from '../../messages/versions.ts'
import { groupChatItemSeenBy } from '../../messages/group-message.ts'
import { findOwnClaims } from '../../messages/imported-claims.ts'
import { chatBucket } from '../../values/bucket.ts'

/** A page is small because a post may have 64 KiB, and as much for each edit: it ends after some bytes. */
const postsOfPage = 16
/** Messages of a chat that one query searches for those of one wallet. */
const windowSize = 20_000

/** Yields messages of the wallet in group chats: searches each chat in which it has posted. */
export async function* findPostLines(db: Db, wallet: string): AsyncGenerator<string, void, undefined> {
  for await (const chat of keysOf(db, `group_visits where walletaddr = $1 and posted + withheld > 0`, wallet))
    for (let after = 0; ;) {
      const [page] = await db.query<{ lines: string; next: number | null }>(posts, [
        wallet,
        chatBucket(chat),
        chat,
        after,
      ])
      if (page!.lines) yield page!.lines
      if (page!.next === null) break
      after = page!.next
    }
}

/** Yields the messages of the imported people that the wallet was elsewhere. */
export async function* findImportedLines(db: Db, wallet: string): AsyncGenerator<string, void, undefined> {
  for (const { address } of await findOwnClaims(db, wallet)) yield* findPostLines(db, address)
}

const columns =
  'bucket, chat, id, fromaddr, message, ms, removed_by, marks, reply_to, rev, edited_ms, edits, files'

const searched = `
  select * from (
    (select ${columns}, own from group_messages where bucket = $2 and chat = any(array[$3::text]) and id > $4
     order by bucket, chat, id limit ${windowSize})
    union all
    (select ${columns}, null::jsonb from withheld_posts where bucket = $2 and chat = any(array[$3::text]) and fromaddr = $1 and id > $4
     order by bucket, chat, fromaddr, id limit ${postsOfPage})
  ) both_kinds order by id limit ${windowSize}`

const posts = `
  select coalesce(string_agg(item || E'\\n', '' order by id), '') as lines,
    case when count(*) = ${postsOfPage} or coalesce(max(bytes), 0) >= ${pageBytes} then max(id)
      else (select max(id) from (${searched}) w) end as next
  from (
    select *, sum(octet_length(item)) over (order by id) as bytes from (
      select m.id, ${groupChatItemSeenBy('$1', 'c', earlier(versionsOfPost('$1')))} as item
      from (${searched}) m join group_chats c on c.bucket = $2 and c.chat = $3
      where m.fromaddr = $1 order by m.id limit ${postsOfPage}
    ) rows
  ) page where bytes - octet_length(item) < ${pageBytes}`

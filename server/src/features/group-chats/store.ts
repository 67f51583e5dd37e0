import type { GroupChatItem, Member } from '@parley/sdk/contract/group-chats.ts'
import { groupChatItemPlain, groupChatItemSeenBy, isHeld } from '../../messages/group-message.ts'
import { postMarks } from '../../messages/marks.ts'
import { coalesced } from '../../db/coalesce.ts'
import { list, type PageQuery } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { logoOf, nameOf, unreadInChat } from '../../messages/shared-sql.ts'
import { chatBucket } from '../../values/bucket.ts'

/** Returns the messages of a chat that a wallet sees, up to the one with the id `last`. */
export const findMessages = (db: Db, chat: string, reader: string, last: number, page: PageQuery) =>
  messages(db, { bucket: chatBucket(chat), chat, reader, last }, page)

const columns = 'bucket, chat, id, fromaddr, message, ms, removed_by, marks, reply_to, rev, edited_ms, files'
const isOfPage = 'id > :after and (id, bucket) < (least(:before, :last::bigint + 1), 0)'

// The list is ordered as the index is, by a key that is no constant; the end is compared as a row: see direct-messages/lists.ts.
const messages = list<GroupChatItem, 'bucket' | 'chat' | 'reader' | 'last'>({
  types: { bucket: 'integer', chat: 'text', reader: 'text', last: 'bigint' },
  rows: (direction) => `
    select m.*, c.nftaddr, c.context_type from group_chats c cross join lateral (
      select * from (
        (select ${columns}, own, reacted, false as held from group_messages where bucket = :bucket and chat = c.chat and ${isOfPage}
         order by bucket ${direction}, chat ${direction}, id ${direction} limit :limit)
        union all
        (select ${columns}, null::jsonb, null::text, held from withheld_posts where bucket = :bucket and chat = c.chat and fromaddr = :reader and ${isOfPage}
         order by bucket ${direction}, chat ${direction}, fromaddr ${direction}, id ${direction} limit :limit)
      ) both_kinds order by id ${direction} limit :limit
    ) m where c.bucket = :bucket and c.chat = :chat`,
  item: groupChatItemPlain('m', isHeld),
  fullItem: groupChatItemSeenBy(':reader', 'm', isHeld, postMarks(':reader', ':bucket')),
  texts: ['m.message'],
  fullTexts: ['m.own::text', 'm.files::text', 'm.reacted'],
})

// Posts have increasing times in the order of their ids, and no index by time: a send would pay for it. So the ids are halved: of
// `low` and of all before it is known that they were posted before the time, of all behind `high` that they were not.
const lastBefore = `
  with recursive halves (low, high) as (
    select 0::bigint, coalesce((
      select id from group_messages where bucket = $1 and chat = $2 order by bucket desc, chat desc, id desc limit 1), 0)
    union all
    select case when next.ms < $3 then next.id else h.low end, case when next.ms < $3 then h.high else (h.low + h.high) / 2 end
    from halves h left join lateral (
      select g.id, g.ms from group_messages g where g.bucket = $1 and g.chat = $2 and g.id > (h.low + h.high) / 2
      order by g.bucket, g.chat, g.id limit 1
    ) next on true
    where h.low < h.high
  )
  select greatest(low, (
    select id from withheld_posts where bucket = $1 and chat = $2 and fromaddr = $4 and ms < $3
    order by bucket desc, chat desc, fromaddr desc, id desc limit 1)) as id
  from halves where low = high`

/** Returns the id of the last post of a chat before a time, in epoch milliseconds, as a wallet sees the chat; 0 for none. */
export async function getLastBefore(db: Db, chat: string, reader: string, time: number): Promise<number> {
  const [row] = await db.query<{ id: number }>(lastBefore, [chatBucket(chat), chat, time, reader])
  return row!.id
}

interface Visitor {
  /** The number of posts that the wallet has not read in the chat. */
  unread: number
  joined: boolean
}

const visitor = coalesced<Visitor>(
  `select ${unreadInChat} as unread, coalesce(v.joined, false) as joined
   from group_chats c left join group_visits v on v.bucket = $1 and v.chat = $2 and v.walletaddr = $3
   where c.bucket = $1 and c.chat = $2`,
  ['integer', 'text', 'text'],
  { atOnce: 32 },
)

// Posts that only their authors see count too: else a wallet that is muted unseen could notice it by the counts of others. A post
// that waits for a moderator does not count, and its author knows it.
const unreadByOthers = coalesced<Visitor>(
  `select ${unreadInChat} + case when c.withheld_ms > coalesce(v.entry_ms, 0) then (
     select count(*) from (
       select 1 as one from withheld_posts w
       where w.bucket = $1 and w.chat = $2 and w.ms > coalesce(v.entry_ms, 0) and w.fromaddr <> $3 and not w.held
         and w.removed_by is distinct from 'moderator'
       order by w.bucket desc, w.chat desc, w.ms desc limit 1000
     ) unseen) else 0 end as unread, coalesce(v.joined, false) as joined
   from group_chats c left join group_visits v on v.bucket = $1 and v.chat = $2 and v.walletaddr = $3
   where c.bucket = $1 and c.chat = $2`,
  ['integer', 'text', 'text'],
  { atOnce: 32 },
)

/** Returns how many posts of a chat a wallet has not read, as others see it; 0 for one that has not joined. */
export async function countForOthers(db: Db, wallet: string, chat: string): Promise<number> {
  const [found] = await unreadByOthers(db, [chatBucket(chat), chat, wallet])
  return found?.joined ? found.unread : 0
}

/** Returns the facts about a wallet in a chat. */
export const getVisitor = async (db: Db, wallet: string, chat: string): Promise<Visitor> =>
  (await visitor(db, [chatBucket(chat), chat, wallet]))[0] ?? { unread: 0, joined: false }

/** Returns the members of a chat with addresses greater than `after`. */
export const findMembers = (
  db: Db,
  chat: string,
  { limit, after = '' }: { limit: number; after?: string },
): Promise<Member[]> =>
  db.query<Member>(
    `select v.walletaddr, ${nameOf('v.walletaddr')} as name, ${logoOf('v.walletaddr')} as logo
     from group_visits v where v.bucket = $1 and v.chat = $2 and v.joined and v.walletaddr > $3
     order by v.bucket, v.chat, v.walletaddr limit $4`,
    [chatBucket(chat), chat, after, limit],
  )

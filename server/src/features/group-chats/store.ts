import type { GroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import { groupChatItem } from '../../messages/group-message.ts'
import { coalesced } from '../../db/coalesce.ts'
import { type JsonList, listByPages, pageColumns, type PageQuery, readPage } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { unreadInChat } from '../../messages/shared-sql.ts'
import { chatBucket } from '../../values/bucket.ts'

/** The messages of a chat up to the one with the id `last`. */
export const findMessages = (db: Db, chat: string, last: number, page: PageQuery): JsonList<GroupChatItem> =>
  listByPages(
    ({ after, before, limit, newest }) =>
      readPage(db, newest ? newestPage : oldestPage, [chatBucket(chat), chat, after, before, limit, last]),
    page,
  )

function pageOf(direction: 'asc' | 'desc'): string {
  return `
  select ${pageColumns} from (
    select m.id, ${groupChatItem} as item
    -- Ordered as the index is, by a key that is no constant; the end is compared as a row: see direct-messages/lists.ts.
    from group_chats c cross join lateral (
      select * from group_messages where bucket = $1 and chat = c.chat and id > $3 and (id, bucket) < (least($4, $6::bigint + 1), 0)
      order by bucket ${direction}, chat ${direction}, id ${direction} limit $5
    ) m where c.bucket = $1 and c.chat = $2
  ) page`
}

const oldestPage = pageOf('asc')
const newestPage = pageOf('desc')

const unreadIn = coalesced<{ unread: number }>(
  `select ${unreadInChat} as unread
   from group_chats c left join group_visits v on v.bucket = $1 and v.chat = $2 and v.walletaddr = $3
   where c.bucket = $1 and c.chat = $2`,
  ['integer', 'text', 'text'],
  { atOnce: 32 },
)

export const countUnread = async (db: Db, wallet: string, chat: string): Promise<number> =>
  (await unreadIn(db, [chatBucket(chat), chat, wallet]))[0]?.unread ?? 0

import type { Bookmark, NewBookmark } from '@parley/sdk/contract/bookmarks.ts'
import { chatKey } from '../../messages/chat-key.ts'
import type { Db } from '../../db/pool.ts'
import { announce } from '../../messages/events.ts'

/** Joins a chat; joining again changes only the chain, when one is given. */
export function insertBookmark(db: Db, { walletaddr, nftaddr, chain }: NewBookmark): Promise<Bookmark[]> {
  return db.query<Bookmark>(
    `with joined as (
       insert into bookmarks as b (walletaddr, chat, nftaddr, chain) values ($1, $2, $3, coalesce($4, ''))
       on conflict (walletaddr, chat) do update set chain = coalesce($4, b.chain)
       returning id, walletaddr, nftaddr, chain, chat, (xmax = 0) as is_new
     ), counted as (
       insert into group_chats as c (chat, nftaddr, context_type, members)
       select j.chat, coalesce(m.community, j.nftaddr), case when m.chat is null then 'nft' else 'community' end, 1
       from joined j left join communities m using (chat) where j.is_new
       on conflict (chat) do update set members = c.members + 1
     ), announced as (
       ${announce('inbox', 'walletaddr', { change: "'joined'", nftaddr: 'nftaddr' })} from joined where is_new
     )
     select id, walletaddr, nftaddr, chain from joined`,
    [walletaddr, chatKey(nftaddr), nftaddr, chain ?? null],
  )
}

export const deleteBookmark = (db: Db, wallet: string, nftaddr: string) =>
  db.query(
    `with gone as (
       delete from bookmarks where walletaddr = $1 and chat = $2 returning chat, walletaddr, nftaddr
     ), announced as (
       ${announce('inbox', 'walletaddr', { change: "'left'", nftaddr: 'nftaddr' })} from gone
     )
     update group_chats c set members = members - 1 from gone where c.chat = gone.chat`,
    [wallet, chatKey(nftaddr)],
  )

export const findBookmarks = (db: Db, wallet: string) =>
  db.query<Bookmark>(
    'select id, walletaddr, nftaddr, chain from bookmarks where walletaddr = $1 order by id',
    [wallet],
  )

export async function hasBookmark(db: Db, wallet: string, nftaddr: string): Promise<boolean> {
  const found = await db.query('select 1 as one from bookmarks where walletaddr = $1 and chat = $2', [
    wallet,
    chatKey(nftaddr),
  ])
  return found.length > 0
}

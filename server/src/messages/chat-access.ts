import { ApiError } from '@parley/sdk/contract/errors.ts'
import { type Config, hasChains } from '../config/settings.ts'
import type { Db } from '../db/pool.ts'
import { type Chat, chatKey, isNftKey } from './chat-key.ts'
import { announce } from './events.ts'

/**
 * Who may read and post in a group chat: anyone in a community, holders in the chat of an NFT.
 * Anything else is 404.
 */
export async function requireChat(
  ctx: { db: Db; config: Pick<Config, 'rpcUrls'> },
  nftaddr: string,
  wallet: string,
): Promise<Chat> {
  const chat = chatKey(nftaddr)
  const [community] = await ctx.db.query<{ community: string }>(
    'select community from communities where chat = $1',
    [chat],
  )
  if (community) return { chat, nftaddr: community.community, context_type: 'community' }
  if (isNftKey(nftaddr)) {
    if (hasChains(ctx.config)) {
      const { requireHolder } = await import('../chains/ownership.ts')
      await requireHolder(ctx, nftaddr, wallet)
    }
    return { chat, nftaddr, context_type: 'nft' }
  }
  throw new ApiError(
    'not_found',
    'There is no such chat: nftaddr must be an NFT contract, or the name of a community that exists.',
  )
}

/**
 * Stores that a wallet has entered a chat: everything posted so far is read. It never moves back,
 * and writes nothing when there is nothing new. Both numbers come from one snapshot, so the
 * wallet's own messages are never counted. Returns the id of the last message that now counts as
 * read: the caller must not show later ones, which would be shown and still count as unread.
 */
export async function enterChat(
  { db, events }: { db: Db; events: { poke: () => void } },
  wallet: string,
  chat: string,
): Promise<number> {
  const [entry] = await db.query<{ last: number; moved: boolean }>(
    `with entered as (
       insert into group_visits as v (walletaddr, chat, entry_time, seen, seen_own)
       select $1, c.chat, c.last_time, c.posted, coalesce(own.posted, 0)
       from group_chats c left join group_visits own on own.walletaddr = $1 and own.chat = c.chat
       where c.chat = $2 and c.posted > coalesce(own.seen, 0)
       on conflict (walletaddr, chat) do update
         set entry_time = excluded.entry_time, seen = excluded.seen, seen_own = excluded.seen_own
         where excluded.seen > v.seen
       returning walletaddr, chat
     ), announced as (
       ${announce('inbox', 'walletaddr', { change: "'entered'", nftaddr: 'c.nftaddr' })}
       from entered join group_chats c using (chat)
       returning id
     )
     select exists (select from announced) as moved,
       coalesce((select id from group_messages where chat = $2 order by chat desc, id desc limit 1), 0) as last`,
    [wallet, chat],
  )
  if (entry!.moved) events.poke()
  return entry!.last
}

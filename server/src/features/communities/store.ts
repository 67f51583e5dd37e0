import type { Community, CommunityInfo } from '@parley/sdk/contract/communities.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { groupChatItem } from '../../messages/group-message.ts'
import type { Db } from '../../db/pool.ts'
import { logoOf } from '../../messages/shared-sql.ts'

/**
 * Creates a community, or changes it for its creator. Undefined when another wallet has created it.
 */
export async function upsertCommunity(
  db: Db,
  creator: string,
  { community, social }: Community,
): Promise<Community | undefined> {
  const [row] = await db.query<Community>(
    `with created as (
       insert into communities as m (chat, community, creator, social) values ($1, $2, $3, coalesce($4::jsonb, '[]'))
       on conflict (chat) do update set social = coalesce($4::jsonb, m.social) where m.creator = $3
       returning chat, community, social
     ), known as (
       -- Wallets may have kept the name before it was a community.
       update group_chats c set context_type = 'community', nftaddr = created.community from created where c.chat = created.chat
     )
     select community, social from created`,
    [chatKey(community), community, creator, social ? JSON.stringify(social) : null],
  )
  return row
}

/** The landing page for a wallet, with messages up to the id `last`. */
export async function getCommunityInfo(
  db: Db,
  chat: string,
  last: number,
  wallet: string,
): Promise<Omit<CommunityInfo, 'tweets'>> {
  const [info] = await db.query<CommunityInfo>(
    `select m.community as name, ${logoOf('m.chat')} as logo, coalesce(c.members, 0) as members,
       exists (select from bookmarks b where b.walletaddr = $2 and b.chat = m.chat) as joined,
       exists (select from group_visits v where v.walletaddr = $2 and v.chat = m.chat and v.posted > 0) as has_messaged,
       false as is_verified,
       (select coalesce(json_agg(item order by id), '[]') from (
          select m.id, (${groupChatItem})::json as item
          from (select * from group_messages where chat = c.chat and id <= $3 order by chat desc, id desc limit 100) m
        ) last) as messages,
       (select coalesce(jsonb_agg(jsonb_build_object('type', s->>'type', 'username', s->>'name') order by n), '[]')
        from jsonb_array_elements(m.social) with ordinality as social (s, n)) as social
     from communities m left join group_chats c using (chat) where m.chat = $1`,
    [chat, wallet, last],
  )
  return info!
}

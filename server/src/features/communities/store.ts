import type { Community, CommunityInfo } from '@parley/sdk/contract/communities.ts'
import { hasJoined } from '../../messages/chat-access.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { groupChatPreview } from '../../messages/group-message.ts'
import type { Db } from '../../db/pool.ts'
import { isCut, logoOf, previewOf } from '../../messages/shared-sql.ts'
import { chatBucket } from '../../values/bucket.ts'

/**
 * Creates a community, or changes it for its creator. Undefined when another wallet has created it.
 */
export async function upsertCommunity(
  db: Db,
  creator: string,
  { community, social }: Community,
): Promise<Community | undefined> {
  const chat = chatKey(community)
  const [row] = await db.query<Community>(
    `with created as (
       insert into communities as m (bucket, chat, community, creator, social, created_ms)
       values ($1, $2, $3, $4, coalesce($5::jsonb, '[]'), $6)
       on conflict (bucket, chat) do update set social = coalesce($5::jsonb, m.social) where m.creator = $4
       returning community, social
     ), known as (
       -- Wallets may have kept the name before it was a community.
       update group_chats c set context_type = 'community', nftaddr = created.community from created
       where c.bucket = $1 and c.chat = $2
     )
     select community, social from created`,
    [chatBucket(chat), chat, community, creator, social ? JSON.stringify(social) : null, db.now()],
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
  const [[info], joined] = await Promise.all([
    db.query<CommunityInfo>(communityInfo, [chatBucket(chat), chat, wallet, last]),
    hasJoined(db, wallet, chat),
  ])
  return { ...info!, joined }
}

const communityInfo = `
  select k.community as name, ${logoOf('k.chat')} as logo, coalesce(c.members, 0) as members,
    exists (select from group_visits v where v.bucket = $1 and v.chat = $2 and v.walletaddr = $3 and v.posted > 0) as has_messaged,
    false as is_verified,
    (select coalesce(json_agg(item order by id), '[]') from (
       select m.id, (${groupChatPreview})::json as item
       from (
         select id, fromaddr, ms, ${previewOf('message')} as message, ${isCut('message')} as truncated
         from group_messages where bucket = $1 and chat = k.chat and id <= $4
         order by bucket desc, chat desc, id desc limit 100
       ) m
     ) last) as messages,
    (select coalesce(jsonb_agg(jsonb_build_object('type', s->>'type', 'username', s->>'name') order by n), '[]')
     from jsonb_array_elements(k.social) with ordinality as social (s, n)) as social
  from communities k left join group_chats c on c.bucket = $1 and c.chat = $2 where k.bucket = $1 and k.chat = $2`

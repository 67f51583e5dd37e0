import type { Community, CommunityInfo } from '@parley/sdk/contract/communities.ts'
import type { CommunityAbout } from '@parley/sdk/contract/directory.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { groupChatPreview } from '../../messages/group-message.ts'
import { dayOf } from '../../db/clock.ts'
import type { Publishing } from '../../auth/publishing.ts'
import type { Db } from '../../db/pool.ts'
import { keyOf } from '../../db/own-rows.ts'
import { keepUnseen } from '../../messages/unseen.ts'
import { columnSeenBy } from '../../messages/versions.ts'
import { isCut, logoOf, previewOf } from '../../messages/shared-sql.ts'
import { chatBucket } from '../../values/bucket.ts'
import { aboutColumns, lexemesOf } from './about.ts'

/** Changes a community for its creator; returns undefined when the wallet has created none of this name. */
export async function updateCommunity(
  db: Db,
  publishing: Publishing,
  creator: string,
  { community, social }: Community,
): Promise<Required<Community> | undefined> {
  const chat = chatKey(community)
  const shown = publishing.isUnseen ? undefined : social
  const [row] = await db.query<Required<Community>>(
    `update communities set social = coalesce($4::jsonb, social)
     where bucket = $1 and chat = $2 and creator = $3 returning community, social`,
    [chatBucket(chat), chat, creator, jsonOf(shown)],
  )
  if (!row || !social) return row
  await keepUnseen(db, publishing, creator, { kind: 'social', about: chat, value: { social } })
  return { ...row, social }
}

interface Rule {
  skeletons: string[]
  /** The limit a day; undefined for any number. */
  aDay: number | undefined
  inAll: number
}

interface StoredCommunity extends Required<Community> {
  refused: null
}

/**
 * Creates a community, or returns why not. Throws 409 when it looks like another community. Where its creator alone sees it,
 * others do not find it, and those who know its name see nothing that its creator says about it.
 */
export async function insertCommunity(
  db: Db,
  publishing: Publishing,
  creator: string,
  { community, social }: Community,
  { skeletons, aDay, inAll }: Rule,
): Promise<StoredCommunity | { refused: 'taken' | 'a-day' | 'in-all' }> {
  const chat = chatKey(community)
  const now = db.now()
  try {
    const [row] = await db.query<StoredCommunity>(
      'select * from create_community_v1($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, $11, $12)',
      [
        now,
        chatBucket(chat),
        chat,
        ...keyOf(creator),
        community,
        jsonOf(publishing.isUnseen ? undefined : social),
        skeletons,
        dayOf(now),
        aDay,
        inAll,
        lexemesOf(community),
      ],
    )
    if (row!.refused !== null || !publishing.isUnseen) return row!
    await keepUnseen(db, publishing, creator, { kind: 'community', about: chat, value: {} })
    if (social) await keepUnseen(db, publishing, creator, { kind: 'social', about: chat, value: { social } })
    return { ...row!, social: social ?? row!.social }
  } catch (error) {
    throw (error as { code?: string }).code === uniqueViolation ? tooSimilar(error) : error
  }
}

const jsonOf = (social: Community['social']) => (social ? JSON.stringify(social) : null)

const uniqueViolation = '23505'

const tooSimilar = (cause: unknown) =>
  new ApiError('conflict', 'Another community has a name that looks like this one. Choose another name.', {
    cause,
  })

interface Landing extends Omit<CommunityInfo, 'is_creator' | 'unlisted' | 'about' | 'tags'>, CommunityAbout {
  created: boolean
  owner: string | null
}

/** Returns the landing page for a wallet, with messages up to the id `last`, what its owner says, and who that is. */
export async function getCommunityInfo(
  db: Db,
  chat: string,
  last: number,
  wallet: string,
): Promise<{ info: Omit<CommunityInfo, 'tweets'>; said: CommunityAbout; owner: string | null }> {
  const values = [chatBucket(chat), chat, wallet, last]
  const [row] = await db.query<Landing>(communityInfo, values)
  const { created, about, tags, listed, owner, ...info } = row!
  return { info: { ...info, ...(created && { is_creator: true }) }, said: { about, tags, listed }, owner }
}

const columns = 'id, fromaddr, ms, removed_by'

const communityInfo = `
  select k.community as name, ${logoOf('k.chat')} as logo, coalesce(c.members, 0) as members,
    coalesce(v.posted + v.withheld > 0, false) as has_messaged, coalesce(v.joined, false) as joined, false as is_verified,
    coalesce(k.creator = $3, false) as created, ${aboutColumns('$1')}, coalesce(p.listed, true) as listed,
    (select coalesce(json_agg(item order by id), '[]') from (
       select m.id, (${groupChatPreview})::json as item
       from (
         select id, fromaddr, ms, removed_by, ${previewOf('message')} as message, ${isCut('message')} as truncated
         from (
           (select ${columns}, ${columnSeenBy('$3', 'message')} as message from group_messages m where bucket = $1 and chat = k.chat and id <= $4
            order by bucket desc, chat desc, id desc limit 100)
           union all
           (select ${columns}, message from withheld_posts where bucket = $1 and chat = k.chat and fromaddr = $3 and id <= $4
            order by bucket desc, chat desc, fromaddr desc, id desc limit 100)
         ) both_kinds order by id desc limit 100
       ) m
     ) last) as messages,
    (select coalesce(jsonb_agg(jsonb_build_object('type', s->>'type', 'username', s->>'name') order by n), '[]')
     from jsonb_array_elements(k.social) with ordinality as social (s, n)) as social
  from communities k left join group_chats c on c.bucket = $1 and c.chat = $2
  left join community_profiles p on p.bucket = $1 and p.chat = $2
  left join group_visits v on v.bucket = $1 and v.chat = $2 and v.walletaddr = $3
  where k.bucket = $1 and k.chat = $2`

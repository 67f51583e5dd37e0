import { byPages } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import { ofNoWallet, type Tables } from '../../feature.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { instant } from '../../messages/shared-sql.ts'
import { findAllUnseen } from '../../messages/unseen.ts'
import { forgetAbout } from './about.ts'

async function* findLines(db: Db, wallet: string): AsyncGenerator<string, void, undefined> {
  const changed = await findAllUnseen(db, wallet, 'social')
  const said = await findAllUnseen(db, wallet, 'about')
  const pages = byPages(
    db,
    wallet,
    `select json_build_object('community', community, 'social', social, 'created_at', ${instant('k.created_ms')},
         'about', p.about, 'tags', p.tags, 'listed', p.listed)::text as item,
       json_build_array(k.chat) as place
     from communities k left join community_profiles p on p.bucket = k.bucket and p.chat = k.chat
     where k.creator = $1 and k.chat > $2 order by k.chat`,
    [''],
  )
  for await (const page of pages)
    yield changed.size + said.size === 0 ? page : page.replaceAll(/.+/g, asItsCreatorSees)

  function asItsCreatorSees(line: string): string {
    const community = JSON.parse(line) as { community: string }
    const chat = chatKey(community.community)
    return JSON.stringify({ ...community, ...changed.get(chat), ...said.get(chat) })
  }
}

/**
 * Spec gap: a community belongs to its members too. It stays with its name, which is not free again, and its picture; what its
 * creator has said about it goes. Without a moderator no one may change it (chat-moderation/erase.ts, which runs afterwards).
 */
async function forgetCommunities(tx: Db, wallet: string): Promise<void> {
  const created = await tx.query<{ chat: string; community: string }>(
    `update communities set creator = null, social = '[]' where creator = $1 returning chat, community`,
    [wallet],
  )
  await forgetAbout(tx, created)
  if (created.length > 0)
    await tx.query('delete from community_tweets where chat = any($1::text[])', [
      created.map(({ chat }) => chat),
    ])
}

export const tables: Tables = {
  communities: {
    exported: { lines: { 'communities.jsonl': findLines } },
    erased: forgetCommunities,
    ends: 'bound',
    access: 'of a chat',
  },
  community_profiles: {
    exported: 'in communities.jsonl',
    erased: 'with the community',
    ends: 'bound',
    access: 'of a chat',
  },
  community_skeletons: ofNoWallet('bound'),
  community_tweets: ofNoWallet('bound'),
  x_api_pause: ofNoWallet('fixed'),
}

import { byPages } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import { ofNoWallet, type Tables } from '../../feature.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { instant } from '../../messages/shared-sql.ts'
import { findAllUnseen } from '../../messages/unseen.ts'

async function* findLines(db: Db, wallet: string): AsyncGenerator<string, void, undefined> {
  const changed = await findAllUnseen(db, wallet, 'social')
  const pages = byPages(
    db,
    wallet,
    `select json_build_object('community', community, 'social', social, 'created_at', ${instant('created_ms')})::text as item,
       json_build_array(chat) as place
     from communities where creator = $1 and chat > $2 order by chat`,
    [''],
  )
  for await (const page of pages) yield changed.size === 0 ? page : page.replaceAll(/.+/g, asItsCreatorSees)

  function asItsCreatorSees(line: string): string {
    const community = JSON.parse(line) as { community: string }
    return JSON.stringify({ ...community, ...changed.get(chatKey(community.community)) })
  }
}

/**
 * Spec gap: a community belongs to its members too. It stays with its name, which is not free again, and its picture; what its
 * creator has said about it goes. Without a moderator no one may change it (chat-moderation/erase.ts, which runs afterwards).
 */
async function forgetCommunities(tx: Db, wallet: string): Promise<void> {
  const created = await tx.query<{ chat: string }>(
    `update communities set creator = null, social = '[]' where creator = $1 returning chat`,
    [wallet],
  )
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
  community_skeletons: ofNoWallet('bound'),
  community_tweets: ofNoWallet('bound'),
  x_api_pause: ofNoWallet('fixed'),
}

// This is the command of `npm run parley` about communities that the administrator recommends. It has a connection of its own,
// beside a service that may run.

import { openSession } from '../../db/session.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { append } from '../../messages/operator-log.ts'
import { setRecommended } from '../../messages/recommended.ts'
import { chatBucket } from '../../values/bucket.ts'

/** Adds, removes or lists what is recommended; returns the text to print. Each change is in the log of operators. */
export async function changeRecommended(
  databaseUrl: string,
  what: string | undefined,
  community: string | undefined,
): Promise<{ text: string; communities?: string[] }> {
  await using session = await openSession(databaseUrl, 'parley recommended')
  if (what === 'list') {
    const rows = await session.query<{ community: string }>(
      `select k.community from community_profiles p join communities k on k.bucket = p.bucket and k.chat = p.chat
       where p.featured order by k.chat`,
    )
    const communities = rows.map((row) => row.community)
    return { text: communities.join('\n') || 'No community is recommended.', communities }
  }
  if (!community) throw new Error('Say which community: its name.')
  const chat = chatKey(community)
  const [found] = await session.query<{ community: string; featured: boolean }>(
    `select k.community, p.featured from communities k
     join community_profiles p on p.bucket = k.bucket and p.chat = k.chat where k.bucket = $1 and k.chat = $2`,
    [chatBucket(chat), chat],
  )
  if (!found) throw new Error(`There is no community of the name ${community}.`)
  const isAdded = what === 'add'
  const state = isAdded ? 'recommended' : 'not recommended'
  if (found.featured === isAdded) return { text: `${found.community} was ${state} already.` }
  const now = Date.now()
  const tx = { query: session.query, now: () => now }
  await session.query('begin')
  await setRecommended(session, chat, isAdded)
  await append(tx, {
    operator: 'command-line',
    action: isAdded ? 'recommend_community' : 'unrecommend_community',
    subject: chat,
    until: null,
    reason: '',
    reports: [],
    item: null,
  })
  await session.query('commit')
  return { text: `${found.community} is ${state} in the directory.` }
}

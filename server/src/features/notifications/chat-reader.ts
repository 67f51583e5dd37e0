// Notifications of posts in chats: a job for each wallet that is mentioned, and for each that wants to be told of every post,
// where it gets pushes or messages by Telegram. A post costs what is told of it, not what members there are.

import { mentionsIn } from '@parley/sdk/mentions.ts'
import type { Db } from '../../db/pool.ts'
import { enqueueEach } from '../../jobs/queue.ts'
import type { Reader } from '../../live/follow.ts'
import { foldName } from '../../values/skeleton.ts'

/** How many posts a step reads at most. */
const pageSize = 1000

/** Milliseconds in which a page that is open shows a post, and it is read. */
const patience = 5_000

export const chatReader: Reader = { name: 'chat-pushes', purpose: 'pushes about chats', readPage }

async function readPage(tx: Db, after: number, upTo: number): Promise<number> {
  const [page] = await tx.query<Page>(pageOfPosts, [after, upTo])
  const { posts, last, told, signs } = page!
  const mentioned = signs ? await findMentioned(tx, signs) : []
  const all = [...(told ?? []), ...mentioned]
  if (all.length > 0) await tx.query(enqueueTold, [JSON.stringify(all), new Date(tx.now() + patience)])
  return posts < pageSize ? upTo : last
}

interface Told {
  wallet: string
  chat: string
}

interface Sign {
  bucket: number
  chat: string
  fromaddr: string
  message: string
}

interface Page {
  posts: number
  last: number
  /** Who wants to be told of each post. */
  told: Told[] | null
  /** Posts that may mention somebody. */
  signs: Sign[] | null
}

const pageOfPosts = `
  with page as materialized (
    select bucket, chat, id, fromaddr, case when position('@' in message) > 0 then left(message, 4096) else '' end as message
    from group_messages where id > $1 and id <= $2 order by id limit ${pageSize}
  ), eager as materialized (
    select distinct v.walletaddr, v.chat from page p
    join group_visits v on v.bucket = p.bucket and v.chat = p.chat and v.joined and v.tell_all and v.walletaddr <> p.fromaddr
  )
  select (select count(*) from page) as posts, (select max(id) from page) as last, (
    select json_agg(json_build_object('wallet', t.walletaddr, 'chat', t.chat)) from (
      select e.walletaddr, e.chat from eager e join push_subscriptions s on s.walletaddr = e.walletaddr
      union
      select e.walletaddr, e.chat from eager e join telegram_links l on l.walletaddr = e.walletaddr
    ) t
  ) as told, (
    select json_agg(json_build_object('bucket', bucket, 'chat', chat, 'fromaddr', fromaddr, 'message', message)) from page
    where message <> ''
  ) as signs`

/** Members of the chats whom some posts mention. */
async function findMentioned(tx: Db, signs: Sign[]): Promise<Told[]> {
  const found = signs.map(({ message, ...sign }) => ({ ...sign, ...mentionsIn(message) }))
  const addresses = found.flatMap((sign) =>
    sign.addresses.map((address) => ({ ...sign, address, name: null })),
  )
  const names = found.flatMap((sign) =>
    sign.names.map((name) => ({ ...sign, address: null, name: foldName(name) })),
  )
  const asked = [...addresses, ...names].map(({ bucket, chat, fromaddr, address, name }) => ({
    bucket,
    chat,
    fromaddr,
    address,
    name,
  }))
  return asked.length === 0 ? [] : tx.query<Told>(mentionedMembers, [JSON.stringify(asked)])
}

const mentionedMembers = `
  with asked as materialized (
    select * from json_to_recordset($1::json) as a (bucket integer, chat text, fromaddr text, address text, name text)
  ), named as materialized (
    select distinct a.bucket, a.chat, a.fromaddr, n.address from asked a join names n on n.folded = a.name
  ), wallets as materialized (
    select bucket, chat, fromaddr, address from named
    union select bucket, chat, fromaddr, address from asked where address is not null
  ), pushed as materialized (
    select distinct w.bucket, w.chat, w.address from wallets w
    join push_subscriptions s on s.walletaddr = w.address
    where w.address <> w.fromaddr
    union
    select w.bucket, w.chat, w.address from wallets w
    join telegram_links l on l.walletaddr = w.address
    where w.address <> w.fromaddr
  )
  select v.walletaddr as wallet, v.chat from pushed p
  join group_visits v on v.bucket = p.bucket and v.chat = p.chat and v.walletaddr = p.address and v.joined`

const enqueueTold = enqueueEach(
  'tell-post',
  `json_build_object('walletaddr', wallet, 'chat', chat)`,
  `'tell-post ' || wallet || ' ' || chat`,
  'select distinct wallet, chat from json_to_recordset($1::json) as d (wallet text, chat text)',
  // A busy chat holds up no other job.
  { runAt: '$2', priority: 10 },
)

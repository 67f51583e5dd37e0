// Notifications about posts in chats are jobs: one for each wallet that is mentioned, and one for each that wants to be notified
// about every post, where an instant channel reaches it. A post costs as much as it has recipients, not members.

import { mentionsIn } from '@parley/sdk/mentions.ts'
import type { Db } from '../../db/pool.ts'
import type { Reader } from '../../cluster/follow.ts'
import { isInLog } from '../../messages/imported.ts'
import { foldName } from '../../values/skeleton.ts'
import { reachedBy } from './channel.ts'
import { instantChannels } from './channels.ts'
import { enqueueNotifyEach } from './notify.ts'

/** The maximum number of posts that a step reads. */
const pageSize = 1000

/** Milliseconds in which an open page shows a post, and it is read. */
const patience = 5_000

export const chatReader: Reader = { name: 'chat-pushes', purpose: 'pushes about chats', readPage }

async function readPage(tx: Db, after: number, upTo: number): Promise<number> {
  const [page] = await tx.query<Page>(pageOfPosts, [after, upTo])
  const { posts, last, eager, candidates } = page!
  const mentioned = candidates ? await findMentioned(tx, candidates) : []
  const all = [...(eager ?? []), ...mentioned]
  if (all.length > 0) await tx.query(enqueueChats, [JSON.stringify(all), new Date(tx.now() + patience)])
  return posts < pageSize ? upTo : last
}

/** A wallet, and the chat about which it is notified. */
interface Due {
  wallet: string
  subject: string
}

interface Candidate {
  bucket: number
  chat: string
  fromaddr: string
  message: string
}

interface Page {
  posts: number
  last: number
  /** The wallets that want to be notified about every post. */
  eager: Due[] | null
  /** Posts that may mention somebody. */
  candidates: Candidate[] | null
}

const pageOfPosts = `
  with page as materialized (
    select bucket, chat, id, fromaddr, case when position('@' in message) > 0 then left(message, 4096) else '' end as message
    from group_messages where id > $1 and id <= $2 and ${isInLog} order by id limit ${pageSize}
  ), eager as materialized (
    select distinct v.walletaddr, v.chat from page p
    join group_visits v on v.bucket = p.bucket and v.chat = p.chat and v.joined and v.tell_all and v.walletaddr <> p.fromaddr
  )
  select (select count(*) from page) as posts, (select max(id) from page) as last, (
    select json_agg(json_build_object('wallet', d.walletaddr, 'subject', d.chat)) from (
      ${reachedBy(instantChannels, { columns: 'e.walletaddr, e.chat', from: 'eager e', wallet: 'e.walletaddr' })}
    ) d
  ) as eager, (
    select json_agg(json_build_object('bucket', bucket, 'chat', chat, 'fromaddr', fromaddr, 'message', message)) from page
    where message <> ''
  ) as candidates`

/** Returns the members of the chats that some posts mention. */
async function findMentioned(tx: Db, candidates: Candidate[]): Promise<Due[]> {
  const found = candidates.map(({ message, ...post }) => ({ ...post, ...mentionsIn(message) }))
  const addresses = found.flatMap((post) =>
    post.addresses.map((address) => ({ ...post, address, name: null })),
  )
  const names = found.flatMap((post) =>
    post.names.map((name) => ({ ...post, address: null, name: foldName(name) })),
  )
  const given = [...addresses, ...names].map(({ bucket, chat, fromaddr, address, name }) => ({
    bucket,
    chat,
    fromaddr,
    address,
    name,
  }))
  return given.length === 0 ? [] : tx.query<Due>(mentionedMembers, [JSON.stringify(given)])
}

const mentionedMembers = `
  with given as materialized (
    select * from json_to_recordset($1::json) as g (bucket integer, chat text, fromaddr text, address text, name text)
  ), named as materialized (
    select distinct g.bucket, g.chat, g.fromaddr, n.address from given g join names n on n.folded = g.name
  ), mentioned as materialized (
    select bucket, chat, address from named where address <> fromaddr
    union select bucket, chat, address from given where address <> fromaddr
  ), reached as materialized (
    ${reachedBy(instantChannels, { columns: 'm.bucket, m.chat, m.address', from: 'mentioned m', wallet: 'm.address' })}
  )
  select v.walletaddr as wallet, v.chat as subject from reached r
  join group_visits v on v.bucket = r.bucket and v.chat = r.chat and v.walletaddr = r.address and v.joined`

// A busy chat holds up no other job.
const enqueueChats = enqueueNotifyEach('chat', { priority: 10 })

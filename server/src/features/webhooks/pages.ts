// What of the log concerns webhooks: a page of each of its tables. Each statement is one for all webhooks. The tables of posts and
// events are read only while a webhook wants what they hold, and a page of posts costs what webhooks there are in its chats.

import type { Db } from '../../db/pool.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { mayNotify, takesAll } from '../../messages/consent.ts'
import { chatBucket } from '../../values/bucket.ts'

/** How many rows of a table a step reads at most. A post may be told to many webhooks, so fewer of them: this bounds the memory. */
const pageSize = 1000
const postsAtOnce = 100

/** A delivery that is to be made. */
export interface Told {
  wbucket: number
  walletaddr: string
  hook: string
  id: number
  event: string
  peer: string
  chat: string | null
  about: number | null
  ms: number
}

export interface Page {
  /** Up to which id it has all; undefined where that is all there is. */
  upTo: number | undefined
  told: Told[]
}

/** What webhooks want to be told of. */
export interface Wanted {
  messages: boolean
  posts: boolean
  events: boolean
}

const anyOf = (...events: string[]) => `events && array[${events.map((event) => `'${event}'`).join(', ')}]`

export async function findWanted(tx: Db): Promise<Wanted> {
  const [wanted] = await tx.query<Wanted>(`
    select exists (select 1 from webhooks where is_on and ${anyOf('message.direct', 'request.new')}) as messages,
      exists (select 1 from webhooks where is_on and ${anyOf('message.group', 'command')}) as posts,
      exists (select 1 from webhooks where is_on and ${anyOf('message.deleted', 'member.joined')}) as events`)
  return wanted!
}

interface Row {
  rows: number
  last: number
  told: Told[] | null
}

/** A statement that reads a page; `told` is SQL with the columns of Told, of `page`. */
const pageOf = (page: string, more: string[], told: string, limit = pageSize) => `
  with ${[`page as materialized (${page} where id > $1 and id <= $2 order by id limit ${limit})`, ...more].join(', ')},
  told as materialized (${told})
  select (select count(*) from page) as rows, (select max(id) from page) as last,
    (select json_agg(row_to_json(told)) from told where event is not null) as told`

const asPage = ([row]: Row[], limit = pageSize): Page => ({
  upTo: row!.rows < limit ? undefined : row!.last,
  told: row!.told ?? [],
})

// What the recipient thinks of the sender decides, as for mails and pushes (messages/consent.ts). Whom it has muted is left out at
// the delivery (content.ts).
const sideOf = (wallet: string, peer: string) => ({
  state: `(case when c.a = ${wallet} then c.state_a else c.state_b end)`,
  blocked: `(case when c.a = ${wallet} then c.blocked_a else c.blocked_b end)`,
  peer,
})
const muted = `muted as (select '' as peer where false)`
/** The webhooks of some wallets, on their own: a cluster joins no rows of wallets with rows of conversations. */
const hooksOf = (wallets: string) =>
  `hooks_of as materialized (
     select wbucket, walletaddr, id, events, chat, peer from webhooks where is_on and walletaddr in (${wallets}))`
const isOfPeer = (peer: string) => `w.chat is null and (w.peer is null or w.peer = ${peer})`

const message = sideOf('m.toaddr', 'm.fromaddr')
const pageOfMessages = pageOf(
  'select bucket, conversation_id, id, fromaddr, toaddr, ms, withheld from direct_messages',
  [muted, hooksOf('select toaddr from page')],
  `select wbucket, walletaddr, hook, id, case when event = any(events) then event end as event, peer, null as chat, null as about, ms
   from (
     select w.wbucket, w.walletaddr, w.id as hook, m.id, m.fromaddr as peer, m.ms, w.events,
       case when ${message.state} = 1 or ${takesAll('m.toaddr', '$3')} then 'message.direct' else 'request.new' end as event
     from page m
     join hooks_of w on w.walletaddr = m.toaddr and ${isOfPeer('m.fromaddr')}
     join conversations c on c.bucket = m.bucket and c.id = m.conversation_id
     where m.fromaddr <> m.toaddr and not m.withheld and ${mayNotify(message, 'true')}
   ) found`,
)

export const readMessages = async (tx: Db, after: number, upTo: number, dmDefault: string): Promise<Page> =>
  asPage(await tx.query<Row>(pageOfMessages, [after, upTo, dmDefault]))

/** Webhooks of wallets that have joined a chat of the page. */
const inChats = (...events: string[]) => [
  `hooks as materialized (
     select wbucket, walletaddr, id as hook, events, chat as only from webhooks
     where is_on and peer is null and ${anyOf(...events)})`,
  `members as materialized (
     select v.bucket, v.chat, h.wbucket, h.walletaddr, h.hook, h.events
     from (select distinct bucket, chat from posts) p
     join hooks h on h.only is null or h.only = p.chat
     join group_visits v on v.bucket = p.bucket and v.chat = p.chat and v.walletaddr = h.walletaddr and v.joined)`,
]

const pageOfPosts = pageOf(
  `select bucket, chat, id, fromaddr, ms,
     case when message like '/%' then substring(left(message, 34) from '^/([a-z0-9_-]{1,32})(?:\\s|$)') end as word
   from group_messages`,
  [
    // Posts of who answers to commands there, which only bots do, are no commands: so no two of them answer each other for ever.
    `answering as materialized (
       select distinct b.bucket, b.chat, b.walletaddr from page p
       join chat_commands b on b.bucket = p.bucket and b.chat = p.chat and b.walletaddr = p.fromaddr
       where p.word is not null)`,
    `posts as materialized (
       select p.bucket, p.chat, p.id, p.fromaddr, p.ms, case when a.walletaddr is null then p.word end as word
       from page p left join answering a on a.bucket = p.bucket and a.chat = p.chat and a.walletaddr = p.fromaddr)`,
    `commands as materialized (
       select distinct k.bucket, k.chat, k.walletaddr, k.word from posts p
       join chat_commands k on k.bucket = p.bucket and k.chat = p.chat and k.word = p.word)`,
    ...inChats('message.group', 'command'),
  ],
  `select h.wbucket, h.walletaddr, h.hook, p.id, case
       when k.word is not null and 'command' = any(h.events) then 'command'
       when 'message.group' = any(h.events) then 'message.group'
     end as event, p.fromaddr as peer, p.chat, null as about, p.ms
   from posts p join members h on h.bucket = p.bucket and h.chat = p.chat and h.walletaddr <> p.fromaddr
   left join commands k on k.bucket = p.bucket and k.chat = p.chat and k.walletaddr = h.walletaddr and k.word = p.word`,
  postsAtOnce,
)

export const readPosts = async (tx: Db, after: number, upTo: number): Promise<Page> =>
  asPage(await tx.query<Row>(pageOfPosts, [after, upTo]), postsAtOnce)

const deletion = sideOf('e.walletaddr', 'e.fromaddr')
// Those of direct messages lie with their conversation, and have a row for each end that is told; those of posts lie with the chat.
const pageOfEvents = pageOf(
  `select bucket, id, walletaddr, ms, event->>'type' as type, event->>'fromaddr' as fromaddr, (event->>'id')::bigint as about
   from events`,
  [
    muted,
    hooksOf(`select walletaddr from page where type in ('deleted', 'conversation-deleted')`),
    `posts as materialized (
       select bucket, split_part(walletaddr, ' ', 2) as chat, id, about, ms from page
       where type = 'post-removed' and walletaddr like 'chat %' and walletaddr not like 'chat % %')`,
    ...inChats('message.deleted'),
  ],
  `select w.wbucket, w.walletaddr, w.id as hook, e.id, 'message.deleted' as event, e.fromaddr as peer, null as chat, e.about, e.ms
   from page e
   join hooks_of w on w.walletaddr = e.walletaddr and 'message.deleted' = any(w.events) and ${isOfPeer('e.fromaddr')}
   join conversations c on c.bucket = e.bucket and c.a = least(e.walletaddr, e.fromaddr collate "C")
     and c.b = greatest(e.walletaddr, e.fromaddr collate "C")
   where e.type in ('deleted', 'conversation-deleted') and e.fromaddr <> e.walletaddr and ${mayNotify(deletion, 'true')}
   union all
   select h.wbucket, h.walletaddr, h.hook, p.id, 'message.deleted', m.fromaddr, p.chat, p.about, p.ms
   from posts p join members h on h.bucket = p.bucket and h.chat = p.chat
   join group_messages m on m.bucket = p.bucket and m.chat = p.chat and m.id = p.about and m.fromaddr <> h.walletaddr`,
)

/** Joins: who owns or moderates the chat is told. */
const joins = `
  select id, walletaddr, ms, event->>'nftaddr' as nftaddr from events
  where id > $1 and id <= $2 and event->>'change' = 'joined' order by id limit ${pageSize}`

const moderators = `
  with joined as materialized (
    select * from json_to_recordset($1::json) as j (bucket integer, chat text, id bigint, walletaddr text, ms bigint)
  ), roles as materialized (
    select j.*, r.walletaddr as moderator from joined j
    join chat_roles r on r.bucket = j.bucket and r.chat = j.chat and r.walletaddr <> j.walletaddr)
  select w.wbucket, w.walletaddr, w.id as hook, r.id, 'member.joined' as event, r.walletaddr as peer, r.chat, null::bigint as about, r.ms
  from roles r
  join webhooks w on w.walletaddr = r.moderator and w.is_on and 'member.joined' = any(w.events) and w.peer is null
    and (w.chat is null or w.chat = r.chat)`

export async function readEvents(tx: Db, after: number, upTo: number): Promise<Page> {
  const page = asPage(await tx.query<Row>(pageOfEvents, [after, upTo]))
  const to = page.upTo ?? upTo
  const joined = await tx.query<{ id: number; walletaddr: string; ms: number; nftaddr: string }>(joins, [
    after,
    to,
  ])
  if (joined.length === 0) return page
  const asked = joined.map(({ id, walletaddr, ms, nftaddr }) => {
    const chat = chatKey(nftaddr)
    return { id, walletaddr, ms, chat, bucket: chatBucket(chat) }
  })
  const told = await tx.query<Told>(moderators, [JSON.stringify(asked)])
  return { ...page, told: [...page.told, ...told] }
}

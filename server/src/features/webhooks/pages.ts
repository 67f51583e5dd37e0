// This module reads what concerns webhooks in the log: a page of each of its tables. Each statement is one for all webhooks. The
// tables of posts and events are read only while a webhook wants what they hold, and the cost of a page of posts grows with the
// webhooks in its chats.
//
// A page says for each webhook and chat from where to where something waits, not what: many webhooks may wait for one post.

import type { Db } from '../../db/pool.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { isInLog } from '../../messages/imported.ts'
import { isHeard, takesAll } from '../../messages/consent.ts'
import { chatBucket } from '../../values/bucket.ts'
import { type Passing, placeOfChat, wordOfPost } from './entries.ts'
import type { Waiting } from './waiting.ts'

/** The maximum number of rows that a step reads. Many webhooks may wait for one post, so fewer posts. */
const pageSize = 1000
const postsAtOnce = 100

export interface Page {
  /** The page is complete up to this id; undefined where nothing follows. */
  upTo: number | undefined
  waiting: Waiting[]
  passing: Passing[]
}

/** The kinds of entries that some webhook wants. */
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
      exists (select 1 from webhooks where is_on and ${anyOf('message.edited', 'message.deleted', 'member.joined')}) as events`)
  return wanted!
}

interface Row {
  rows: number
  last: number
  waiting: Waiting[] | null
  passing: Passing[] | null
}

const ofWebhook = 'wbucket, walletaddr, hook, version, events, of_peer'

/** SQL for the range that the matches of each webhook and chat reach. */
const reach = (matches: string) => `
  select ${ofWebhook}, chat, min(id) as from_id, max(id) as to_id, max(ms) as to_ms
  from ${matches} group by ${ofWebhook}, chat`

interface PageSql {
  page: string
  /** This is true for the rows of the page. */
  isRead?: string
  more: string[]
  /** SQL for what webhooks want of `page`: the columns of a webhook, and `chat`, `id` and `ms`. */
  matches: string
  /** SQL with the columns of Passing, from `matches`. */
  passing?: string
  limit?: number
}

/** Returns a statement that reads a page. */
const pageOf = ({ page, isRead = 'true', more, matches, passing, limit = pageSize }: PageSql) => `
  with ${[`page as materialized (${page} where id > $1 and id <= $2 and ${isRead} order by id limit ${limit})`, ...more].join(', ')},
  matches as materialized (${matches})
  select (select count(*) from page) as rows, (select max(id) from page) as last,
    (select json_agg(row_to_json(w)) from (${reach('matches')}) w) as waiting,
    ${passing ? `(select json_agg(row_to_json(p)) from (${passing}) p)` : 'null::json'} as passing`

const asPage = ([row]: Row[], limit = pageSize): Page => ({
  upTo: row!.rows < limit ? undefined : row!.last,
  waiting: row!.waiting ?? [],
  passing: row!.passing ?? [],
})

// Nothing waits from a peer that the wallet blocks or ignores. The delivery decides by the rest (content.ts).
const sideOf = (wallet: string) => ({
  state: `(case when c.a = ${wallet} then c.state_a else c.state_b end)`,
  blocked: `(case when c.a = ${wallet} then c.blocked_a else c.blocked_b end)`,
})
/** SQL for the webhooks of some wallets, on their own: a cluster joins no rows of wallets with rows of conversations. */
const hooksOf = (wallets: string) =>
  `hooks_of as materialized (
     select wbucket, walletaddr, id as hook, version, events, chat, peer as of_peer from webhooks
     where is_on and walletaddr in (${wallets}))`
const isOfPeer = (peer: string) => `w.chat is null and (w.of_peer is null or w.of_peer = ${peer})`

const message = sideOf('m.toaddr')
const pageOfMessages = pageOf({
  page: 'select bucket, conversation_id, id, fromaddr, toaddr, ms, withheld from direct_messages',
  more: [hooksOf('select toaddr from page')],
  matches: `
    select ${ofWebhook}, '' as chat, id, ms from (
      select w.wbucket, w.walletaddr, w.hook, w.version, w.events, w.of_peer, m.id, m.ms,
        case when ${message.state} = 1 or ${takesAll('m.toaddr', '$3')} then 'message.direct' else 'request.new' end as event
      from page m
      join hooks_of w on w.walletaddr = m.toaddr and ${isOfPeer('m.fromaddr')}
      join conversations c on c.bucket = m.bucket and c.id = m.conversation_id
      where m.fromaddr <> m.toaddr and not m.withheld and ${isHeard(message)}
    ) found where event = any(events)`,
})

export const readMessages = async (tx: Db, after: number, upTo: number, dmDefault: string): Promise<Page> =>
  asPage(await tx.query<Row>(pageOfMessages, [after, upTo, dmDefault]))

/** SQL for the webhooks of wallets that have joined a chat of the page. */
const inChats = (...events: string[]) => [
  `hooks as materialized (
     select wbucket, walletaddr, id as hook, version, events, chat as of_chat from webhooks
     where is_on and peer is null and ${anyOf(...events)})`,
  `members as materialized (
     select v.bucket, v.chat, h.wbucket, h.walletaddr, h.hook, h.version, h.events, null::text as of_peer
     from (select distinct bucket, chat from posts) p
     join hooks h on h.of_chat is null or h.of_chat = p.chat
     join group_visits v on v.bucket = p.bucket and v.chat = p.chat and v.walletaddr = h.walletaddr and v.joined)`,
]
const ofMember = 'h.wbucket, h.walletaddr, h.hook, h.version, h.events, h.of_peer'

const pageOfPosts = pageOf({
  page: `select bucket, chat, id, fromaddr, ms, ${wordOfPost} as word from group_messages`,
  isRead: isInLog,
  more: [
    // Posts of a wallet that answers to commands there, which only bots do, are no commands: so no two of them answer each other
    // forever.
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
  matches: `
    select ${ofMember}, p.chat, p.id, p.ms
    from posts p join members h on h.bucket = p.bucket and h.chat = p.chat and h.walletaddr <> p.fromaddr
    left join commands k on k.bucket = p.bucket and k.chat = p.chat and k.walletaddr = h.walletaddr and k.word = p.word
    where 'message.group' = any(h.events) or k.word is not null`,
  limit: postsAtOnce,
})

export const readPosts = async (tx: Db, after: number, upTo: number): Promise<Page> =>
  asPage(await tx.query<Row>(pageOfPosts, [after, upTo]), postsAtOnce)

const deletion = sideOf('e.walletaddr')
// Events about direct messages lie with their conversation, and have a row for each end of it; those about posts lie with the
// chat.
const pageOfEvents = pageOf({
  // While a bot makes its text, only the last one counts.
  page: `select bucket, id, walletaddr, ms, event->>'type' as type, event->>'fromaddr' as fromaddr, (event->>'id')::bigint as about,
      case when event->>'type' <> 'edited' then 'message.deleted' when event->>'writing' is null then 'message.edited' end as event
    from events`,
  more: [
    hooksOf(`select walletaddr from page where type in ('deleted', 'conversation-deleted', 'edited')`),
    `posts as materialized (
       select bucket, split_part(walletaddr, ' ', 2) as chat, id, about, ms, event from page
       where type in ('post-removed', 'edited') and walletaddr like 'chat %' and walletaddr not like 'chat % %')`,
    ...inChats('message.edited', 'message.deleted'),
  ],
  matches: `
    select w.wbucket, w.walletaddr, w.hook, w.version, w.events, w.of_peer, '' as chat, e.id, e.ms, w.wbucket as bucket,
      w.walletaddr as place, e.fromaddr as peer, e.about, e.event
    from page e
    join hooks_of w on w.walletaddr = e.walletaddr and e.event = any(w.events) and ${isOfPeer('e.fromaddr')}
    join conversations c on c.bucket = e.bucket and c.a = least(e.walletaddr, e.fromaddr collate "C")
      and c.b = greatest(e.walletaddr, e.fromaddr collate "C")
    where e.type in ('deleted', 'conversation-deleted', 'edited') and e.fromaddr <> e.walletaddr and ${isHeard(deletion)}
    union all
    select ${ofMember}, p.chat, p.id, p.ms, p.bucket, 'chat ' || p.chat, m.fromaddr, p.about, p.event
    from posts p join members h on h.bucket = p.bucket and h.chat = p.chat and p.event = any(h.events)
    join group_messages m on m.bucket = p.bucket and m.chat = p.chat and m.id = p.about and m.fromaddr <> h.walletaddr`,
  passing: `select distinct bucket, place, id, event, peer, about, ms from matches`,
})

/** Joins are for the owner and the moderators of the chat. */
const joins = `
  select id, walletaddr, ms, event->>'nftaddr' as nftaddr from events
  where id > $1 and id <= $2 and event->>'change' = 'joined' order by id limit ${pageSize}`

const moderators = `
  with joined as materialized (
    select * from json_to_recordset($1::json) as j (bucket integer, chat text, id bigint, walletaddr text, ms bigint)
  ), roles as materialized (
    select j.*, r.walletaddr as moderator from joined j
    join chat_roles r on r.bucket = j.bucket and r.chat = j.chat and r.walletaddr <> j.walletaddr
  ), matches as materialized (
    select w.wbucket, w.walletaddr, w.id as hook, w.version, w.events, null::text as of_peer, r.chat, r.id, r.ms
    from roles r
    join webhooks w on w.walletaddr = r.moderator and w.is_on and 'member.joined' = any(w.events) and w.peer is null
      and (w.chat is null or w.chat = r.chat))
  ${reach('matches')}`

export async function readEvents(tx: Db, after: number, upTo: number): Promise<Page> {
  const page = asPage(await tx.query<Row>(pageOfEvents, [after, upTo]))
  const to = page.upTo ?? upTo
  const joined = await tx.query<{ id: number; walletaddr: string; ms: number; nftaddr: string }>(joins, [
    after,
    to,
  ])
  if (joined.length === 0) return page
  const members = joined.map(({ id, walletaddr, ms, nftaddr }) => {
    const chat = chatKey(nftaddr)
    return { id, walletaddr, ms, chat, bucket: chatBucket(chat) }
  })
  const waiting = await tx.query<Waiting>(moderators, [JSON.stringify(members)])
  const chats = new Set(waiting.map(({ chat }) => chat))
  const passing = members
    .filter(({ chat }) => chats.has(chat))
    .map(({ id, walletaddr: peer, ms, chat, bucket }): Passing => ({
      bucket,
      place: placeOfChat(chat),
      id,
      event: 'member.joined',
      peer,
      about: null,
      ms,
    }))
  return { ...page, waiting: [...page.waiting, ...waiting], passing: [...page.passing, ...passing] }
}

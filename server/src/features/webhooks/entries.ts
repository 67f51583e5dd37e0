// This module reads a range of the log that waits for a webhook (waiting.ts), when it is due: posts and direct messages from
// their own tables, and what stays in none of those from one that all webhooks share.

import type { Db } from '../../db/pool.ts'
import { takesAll } from '../../messages/consent.ts'
import { chatBucket, walletBucket } from '../../values/bucket.ts'
import type { Range } from './waiting.ts'

/** The word with which a post begins, where it may be a command, as SQL. */
export const wordOfPost = `case when message like '/%' then substring(left(message, 34) from '^/([a-z0-9_-]{1,32})(?:\\s|$)') end`

/** Returns the place of entries about a chat in `webhook_events`; no wallet has a space. */
export const placeOfChat = (chat: string) => `chat ${chat}`

/** The maximum number of rows that are read from a table. */
const pageSize = 50

/** An entry of the log that a delivery may be about. */
interface Entry {
  id: number
  event: string
  peer: string
  /** The message that was edited or deleted. */
  about: number | null
  ms: number
}

export interface Entries {
  /** The entries that the webhook wanted, in the order of the log. */
  entries: Entry[]
  /** These are all entries up to this id. */
  upTo: number
}

/** An entry that stays in no table of its own. */
export interface Passing {
  bucket: number
  place: string
  id: number
  event: 'message.edited' | 'message.deleted' | 'member.joined'
  peer: string
  about: number | null
  ms: number
}

/** Stores entries that stay in no table of their own: once for all webhooks. */
export async function keepPassing(tx: Db, passing: Passing[]): Promise<void> {
  for (const [bucket, ofBucket] of Map.groupBy(passing, (one) => one.bucket))
    await tx.query(keep, [bucket, JSON.stringify(ofBucket)])
}

const keep = `
  insert into webhook_events (bucket, place, id, event, peer, about, ms)
  select l.bucket, d.place, d.id, d.event, d.peer, d.about, d.ms
  from buckets l cross join json_to_recordset($2::json) as d
    (place text, id bigint, event text, peer text, about bigint, ms bigint)
  where l.bucket = $1
  on conflict do nothing`

/** Deletes what is a month old. */
export const deleteOldPassing = (db: Db, before: number) =>
  db.query('delete from webhook_events where ms < $1', [before])

/** Reads the beginning of a range, up to an id. */
export async function readEntries(
  db: Db,
  wallet: string,
  range: Range,
  upTo: number,
  dmDefault: string,
): Promise<Entries> {
  const wants = (...events: string[]) => events.some((event) => range.events.includes(event))
  const { chat, from_id: from } = range
  const pages: Entry[][] = []
  if (chat === '' && wants('message.direct', 'request.new'))
    pages.push(await db.query<Entry>(direct, [wallet, from, upTo, range.peer, dmDefault]))
  if (chat !== '' && wants('message.group', 'command')) pages.push(await readPosts(db, wallet, range, upTo))
  if (wants('message.edited', 'message.deleted', 'member.joined'))
    pages.push(await readPassing(db, wallet, range, upTo))
  const to = Math.min(upTo, ...pages.map((page) => (page.length < pageSize ? upTo : page.at(-1)!.id)))
  const entries = pages
    .flat()
    .filter(({ id, event, peer }) => id <= to && peer !== wallet && wants(event))
    .toSorted((one, next) => one.id - next.id)
  return { entries, upTo: to }
}

// The conversations are joined after the page, so that a cluster joins rows of one bucket.
const direct = `
  with page as materialized (
    select m.bucket, m.conversation_id, m.id, m.fromaddr, m.ms from direct_messages m
    where m.toaddr = $1 and m.id >= $2 and m.id <= $3 and m.fromaddr <> $1 and not m.withheld
      and ($4::text is null or m.fromaddr = $4)
    order by m.id limit ${pageSize}
  )
  select p.id, p.fromaddr as peer, null::bigint as about, p.ms, case
      when (case when c.a = $1 then c.state_a else c.state_b end) = 1 or ${takesAll('$1', '$5')} then 'message.direct'
      else 'request.new'
    end as event
  from page p join conversations c on c.bucket = p.bucket and c.id = p.conversation_id order by p.id`

// Posts of a wallet that answers to commands there, which only bots do, are no commands: so no two of them answer each other
// forever.
const posts = `
  with page as materialized (
    select id, fromaddr, ms, ${wordOfPost} as word from group_messages
    where bucket = $1 and chat = $2 and id >= $3 and id <= $4 order by id limit ${pageSize}
  )
  select p.id, p.fromaddr as peer, p.ms,
    p.word is not null
      and exists (select 1 from chat_commands k where k.bucket = $1 and k.chat = $2 and k.walletaddr = $5 and k.word = p.word)
      and not exists (select 1 from chat_commands k where k.bucket = $1 and k.chat = $2 and k.walletaddr = p.fromaddr)
    as "isCommand"
  from page p order by p.id`

async function readPosts(db: Db, wallet: string, { chat, events, from_id: from }: Range, upTo: number) {
  const rows = await db.query<{ id: number; peer: string; ms: number; isCommand: boolean }>(posts, [
    chatBucket(chat),
    chat,
    from,
    upTo,
    wallet,
  ])
  return rows.map(({ isCommand, id, peer, ms }): Entry => ({
    id,
    event: isCommand && events.includes('command') ? 'command' : 'message.group',
    peer,
    about: null,
    ms,
  }))
}

async function readPassing(db: Db, wallet: string, { chat, peer, from_id: from }: Range, upTo: number) {
  const [bucket, place] = chat === '' ? [walletBucket(wallet), wallet] : [chatBucket(chat), placeOfChat(chat)]
  return db.query<Entry>(
    `select id, event, peer, about, ms from webhook_events
     where bucket = $1 and place = $2 and id >= $3 and id <= $4 and ($5::text is null or peer = $5)
     order by id limit ${pageSize}`,
    [bucket, place, from, upTo, peer],
  )
}

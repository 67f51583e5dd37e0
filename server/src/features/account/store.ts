// The data of a wallet for its export: lines of JSON, made by PostgreSQL page by page, each page by
// a query of its own. So a slow reader holds no transaction, and a long history needs no more
// memory than a short one.

import { chatItem } from '../../messages/direct-message.ts'
import type { Db } from '../../db/pool.ts'
import { apiKeyColumns, commentRow, draftJson, hookColumns, ownKeyColumns } from '../../messages/rows.ts'
import { forever, instant, notErasedBy, notHiddenFrom } from '../../messages/shared-sql.ts'
import { walletBucket } from '../../values/bucket.ts'

/** Rows of a page at most, and the bytes after which it ends. This bounds the memory of an export. */
export const pageSize = 100
const pageBytes = 1024 * 1024

interface Lines {
  lines: string
  /** Whether there may be more. */
  more: boolean
  last: unknown[]
}

/**
 * A list by keyset pages. `rows` selects an `item` as JSON text and its `place`, in order. Its
 * parameters are the wallet or what else `of` says, and the place to begin after.
 */
export async function* byPages(
  db: Db,
  of: string | unknown[],
  rows: string,
  beginning: unknown[],
): AsyncGenerator<string, void, undefined> {
  const sql = `
    select coalesce(string_agg(item || E'\\n', '' order by n), '') as lines, json_agg(place order by n)->-1 as last,
      count(*) = ${pageSize} or coalesce(max(bytes), 0) >= ${pageBytes} as more
    from (
      select *, row_number() over () as n, sum(octet_length(item)) over (rows unbounded preceding) as bytes
      from (${rows} limit ${pageSize}) rows
    ) page where bytes - octet_length(item) < ${pageBytes}`
  for (let after = beginning; ;) {
    const [page] = await db.query<Lines>(sql, [of, after].flat())
    if (page!.lines) yield page!.lines
    if (!page!.more) return
    after = page!.last
  }
}

// As in direct-messages/lists.ts, the key comes from an array, so that each part keeps to its index.
const part = (column: string, more = '') => `
  (select m.* from direct_messages m where m.${column} = any(array[$1::text])${more} and m.id > $2
     and ${notErasedBy('$1')} and ${notHiddenFrom('$1')}
   order by m.${column}, m.id limit ${pageSize})`

/** Direct messages in either direction, in the shape of the contract, oldest first. */
export const findMessageLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select ${chatItem} as item, json_build_array(m.id) as place
     from (${part('fromaddr')} union all ${part('toaddr', ' and m.fromaddr <> $1')}) m order by m.id`,
    [0],
  )

export const findCommentLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select ${commentRow} as item, json_build_array(c.bucket, c.thread_id, c.id) as place
     from comments c join comment_threads t on t.bucket = c.bucket and t.id = c.thread_id
     where c.fromaddr = $1 and (c.bucket, c.thread_id, c.id) > ($2::integer, $3::bigint, $4::bigint)
     order by c.bucket, c.thread_id, c.id`,
    [0, 0, 0],
  )

export const findDraftLines = (db: Db, wallet: string) =>
  byPages(
    db,
    [walletBucket(wallet), wallet],
    `select ${draftJson('d')}::text as item, json_build_array(slot) as place
     from drafts d where wbucket = $1 and walletaddr = $2 and slot > $3::smallint order by slot`,
    [0],
  )

export const findBookmarkLines = (db: Db, wallet: string) =>
  byPages(
    db,
    [walletBucket(wallet), wallet],
    `select json_strip_nulls(json_build_object('id', id, 'walletaddr', walletaddr, 'nftaddr', nftaddr, 'chain', chain, 'muted_until',
         case when muted_until_ms = ${forever} then 'forever' else ${instant('muted_until_ms')} end))::text as item,
       json_build_array(chat) as place
     from bookmarks where wbucket = $1 and walletaddr = $2 and chat > $3 order by chat`,
    [''],
  )

/** The chats in which the wallet has posted or which it has entered, and when it last did. */
export const findVisitLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_build_object('nftaddr', coalesce(c.nftaddr, v.chat), 'posted', v.posted + v.withheld, 'entry_time', ${instant('v.entry_ms')})::text as item,
       json_build_array(v.chat) as place
     from group_visits v left join group_chats c on c.bucket = v.bucket and c.chat = v.chat
     where v.walletaddr = $1 and v.chat > $2 and (v.posted + v.withheld > 0 or v.entry_ms is not null) order by v.chat`,
    [''],
  )

export const findCommunityLines = (db: Db, wallet: string) =>
  byPages(
    db,
    wallet,
    `select json_build_object('community', community, 'social', social, 'created_at', ${instant('created_ms')})::text as item,
       json_build_array(chat) as place
     from communities where creator = $1 and chat > $2 order by chat`,
    [''],
  )

export interface Profile {
  /** Lines of JSON; empty where there is nothing. */
  policy: string
  settings: string
  name: string
  key: string
  sessions: string
  rules: string
  browsers: string
  telegram: string
  webhooks: string
  api_keys: string
  incoming_hooks: string
  /** When it signed in first, in milliseconds; null when it never did. */
  first_ms: number | null
  /** Since when it is a bot; null for people. */
  bot_ms: number | null
}

export async function getProfile(db: Db, wallet: string): Promise<Profile> {
  const [profile] = await db.query<Profile>(
    `select
       coalesce((select json_strip_nulls(json_build_object('id', id, 'walletaddr', walletaddr, 'domain', domain, 'email', email,
         'notify24', notify24::text, 'notifydm', notifydm::text, 'signupsite', signupsite, 'verified', verified::text))::text || E'\\n'
         from settings where wbucket = $1 and walletaddr = $2), '') as settings,
       coalesce((select json_strip_nulls(json_build_object('id', id, 'address', address, 'name', name, 'domain', domain,
         'signupsite', signupsite))::text || E'\\n' from names where wbucket = $1 and address = $2), '') as name,
       coalesce((select row_to_json(k)::text || E'\\n'
         from (select ${ownKeyColumns} from keys where wbucket = $1 and address = $2) k), '') as key,
       coalesce((select string_agg(json_build_object('browser', browser, 'created_at', ${instant('created_ms')},
         'used_at', ${instant('used_ms')})::text || E'\\n', '' order by created_ms) from sessions
         where wbucket = $1 and walletaddr = $2), '') as sessions,
       coalesce((select string_agg(json_strip_nulls(row_to_json(k))::text || E'\\n', '' order by k.created_at)
         from (select ${apiKeyColumns} from api_keys where wbucket = $1 and walletaddr = $2) k), '') as api_keys,
       coalesce((select string_agg(json_strip_nulls(row_to_json(k))::text || E'\\n', '' order by k.created_at)
         from (select ${hookColumns} from incoming_hooks where wbucket = $1 and walletaddr = $2) k), '') as incoming_hooks,
       coalesce((select json_build_object('dm_policy', dm_policy)::text || E'\\n' from profiles
         where address = $2 and dm_policy is not null), '') as policy,
       coalesce((select rules::text || E'\\n' from notification_rules where wbucket = $1 and walletaddr = $2), '') as rules,
       coalesce((select string_agg(json_build_object('host', substring(endpoint from '^https?://([^/]+)'), 'label', label,
         'created_at', ${instant('created_ms')})::text || E'\\n', '' order by created_ms) from push_subscriptions
         where wbucket = $1 and walletaddr = $2), '') as browsers,
       coalesce((select json_build_object('chat_id', chat_id, 'name', name, 'since', ${instant('since_ms')})::text || E'\\n'
         from telegram_links where wbucket = $1 and walletaddr = $2), '') as telegram,
       coalesce((select string_agg(json_build_object('url', url, 'events', events, 'chat', chat, 'peer', peer, 'is_on', is_on,
         'created_at', ${instant('created_ms')})::text || E'\\n', '' order by created_ms) from webhooks
         where wbucket = $1 and walletaddr = $2), '') as webhooks,
       (select first_ms from wallets_seen where wbucket = $1 and address = $2) as first_ms,
       (select since_ms from bots where walletaddr = $2) as bot_ms`,
    [walletBucket(wallet), wallet],
  )
  return profile!
}

interface Picture {
  addr: string
  base64data: string
}

/** The wallet's own picture, and those of the communities it has created. */
export async function* findPictures(db: Db, wallet: string): AsyncGenerator<Picture, void, undefined> {
  const find = (addr: string) =>
    db.query<Picture>('select addr, base64data from images where wbucket = $1 and addr = $2', [
      walletBucket(addr),
      addr,
    ])
  yield* await find(wallet)
  for await (const chat of keysOf(db, `communities where creator = $1`, wallet)) yield* await find(chat)
}

/** The keys of chats, a thousand at a time. */
export async function* keysOf(db: Db, from: string, wallet: string): AsyncGenerator<string, void, undefined> {
  for (let chat: string | undefined = ''; ;) {
    const rows: { chat: string }[] = await db.query<{ chat: string }>(
      `select chat from ${from} and chat > $2 order by chat limit 1000`,
      [wallet, chat],
    )
    for (const row of rows) yield row.chat
    chat = rows.at(-1)?.chat
    if (chat === undefined) return
  }
}

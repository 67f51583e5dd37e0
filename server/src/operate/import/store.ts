// Stores a part of an import in one transaction, as the service would have left it after all of its messages had been posted one by
// one: the counters of the chat and of its members, the index of searches, reactions and files. So a kill at any moment leaves a part
// that is whole, and the next start goes on behind it.

import type { Db } from '../../db/pool.ts'
import { indexPosts } from '../../features/search/reader.ts'
import { importedMark } from '../../messages/imported.ts'
import { insertFile, type StoredBytes } from './files.ts'
import type { Reaction } from './reactions.ts'
import { ImportError } from './records.ts'

/** A message in its place. */
export interface Placed {
  k: number
  ms: number
  author: string
  body: string
  reply_k: number | null
  reactions: Reaction[]
  files: StoredBytes[]
}

export interface Target {
  bucket: number
  chat: string
  nftaddr: string
  first_number: number
  total: number
}

const idOf = ({ bucket, first_number: first }: Target, k: number) => (first + k) * 64 + bucket

/** Stores the messages after `done`. */
export const storePart = (
  db: Db,
  target: Target,
  done: number,
  part: Placed[],
  isSearched: boolean,
): Promise<void> =>
  db.transaction(async (tx) => {
    const last = part.at(-1)!
    await moveOn(tx, target, done, last.k)
    await countInChat(tx, target, part)
    await tx.query(messages, [
      target.bucket,
      target.chat,
      part.map(({ k }) => idOf(target, k)),
      part.map(({ author }) => author),
      part.map(({ body }) => body),
      part.map(({ ms }) => ms),
      part.map(({ reply_k: k }) => (k === null ? null : idOf(target, k))),
    ])
    await tx.query(readByMembers, [
      target.bucket,
      target.chat,
      last.k,
      part.length,
      idOf(target, last.k),
      last.ms,
      authorsOf(part).map(([author]) => author),
      authorsOf(part).map(([, count]) => count),
    ])
    await storeReactions(tx, target, part)
    await storeFiles(tx, target, part)
    if (isSearched)
      await indexPosts(
        tx,
        part.map((one) => indexed(target, one)),
      )
  })

const messages = `
  insert into group_messages (bucket, chat, id, fromaddr, message, ms, reply_to, marks)
  select l.bucket, $2, u.id, u.fromaddr, u.message, u.ms, u.reply_to, ${importedMark} + case when u.reply_to is null then 0 else 8 end
  from buckets l join unnest($3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[])
    as u (id, fromaddr, message, ms, reply_to) on true
  where l.bucket = $1`

async function moveOn(tx: Db, { bucket, chat }: Target, done: number, to: number): Promise<void> {
  const moved = await tx.query(
    'update imports set done = $4 where bucket = $1 and chat = $2 and done = $3 returning done',
    [bucket, chat, done, to],
  )
  if (moved.length === 0) throw new ImportError(`Another command imports into ${chat} now.`)
}

const authorsOf = (part: Placed[]): [string, number][] => {
  const counts = new Map<string, number>()
  for (const { author } of part) counts.set(author, (counts.get(author) ?? 0) + 1)
  return [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
}

async function countInChat(tx: Db, { bucket, chat, nftaddr }: Target, part: Placed[]): Promise<void> {
  await tx.query(
    `insert into group_chats as c (bucket, chat, nftaddr, context_type, last_ms, posted)
     select l.bucket, $2, $3, 'community', $4, $5 from buckets l where l.bucket = $1
     on conflict (bucket, chat) do update set
       posted = c.posted + excluded.posted, last_ms = greatest(c.last_ms, excluded.last_ms),
       last_id = case when c.last_ms > excluded.last_ms then c.last_id end,
       last_item = case when c.last_ms > excluded.last_ms then c.last_item end`,
    [bucket, chat, nftaddr, part.at(-1)!.ms, part.length],
  )
  const authors = authorsOf(part)
  await tx.query(
    `insert into group_visits as v (bucket, chat, walletaddr, posted)
     select l.bucket, $2, u.author, u.posted from buckets l
     join unnest($3::text[], $4::bigint[]) as u (author, posted) on true where l.bucket = $1
     on conflict (bucket, chat, walletaddr) do update set posted = v.posted + excluded.posted`,
    [bucket, chat, authors.map(([author]) => author), authors.map(([, count]) => count)],
  )
}

// What is imported is history: members have read it. A member that has entered after its last message has read it with the rest.
const readByMembers = `
  update group_visits v set
    seen = case when v.entry_ms >= $6 then v.seen + $4 else $3 end,
    seen_own = case when v.entry_ms >= $6 then v.seen_own + coalesce((
        select u.posted from unnest($7::text[], $8::bigint[]) as u (author, posted) where u.author = v.walletaddr), 0)
      else (
        select count(*) from group_messages m
        where v.posted > 0 and m.bucket = $1 and m.chat = $2 and m.fromaddr = v.walletaddr and m.id <= $5) end,
    seen_id = greatest(v.seen_id, $5), entry_ms = greatest(v.entry_ms, $6)
  where v.bucket = $1 and v.chat = $2 and (v.joined or v.entry_ms >= $6)`

async function storeReactions(tx: Db, target: Target, part: Placed[]): Promise<void> {
  const rows: [id: number, wallet: string, values: string, ms: number][] = []
  const counts: [id: number, value: string, n: number][] = []
  for (const { k, ms, reactions } of part) {
    const byWallet = new Map<string, string[]>()
    for (const { emoji, users } of reactions) {
      counts.push([idOf(target, k), emoji, users.length])
      for (const user of users) byWallet.set(user, [...(byWallet.get(user) ?? []), emoji])
    }
    for (const [wallet, values] of byWallet)
      rows.push([idOf(target, k), wallet, values.toSorted().join(' '), ms])
  }
  if (rows.length === 0) return
  const column = (all: unknown[][], n: number) => all.map((row) => row[n])
  await tx.query(
    `insert into reactions (bucket, item_id, walletaddr, vals, ms, added_ms)
     select l.bucket, u.id, u.wallet, string_to_array(u.vals, ' '), u.ms, u.ms from buckets l
     join unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[]) as u (id, wallet, vals, ms) on true
     where l.bucket = $1`,
    [target.bucket, ...[0, 1, 2, 3].map((n) => column(rows, n))],
  )
  await tx.query(
    `insert into reaction_counts (bucket, item_id, value, n)
     select l.bucket, u.id, u.value, u.n from buckets l
     join unnest($2::bigint[], $3::text[], $4::integer[]) as u (id, value, n) on true where l.bucket = $1`,
    [target.bucket, ...[0, 1, 2].map((n) => column(counts, n))],
  )
  await tx.query('select show_post_reactions_v1($1, $2, u.id) as shown from unnest($3::bigint[]) as u (id)', [
    target.bucket,
    target.chat,
    [...new Set(counts.map(([item]) => item))],
  ])
}

async function storeFiles(tx: Db, target: Target, part: Placed[]): Promise<void> {
  for (const { k, author, files } of part) {
    if (files.length === 0) continue
    const item = idOf(target, k)
    for (const file of files) await insertFile(tx, target, author, file)
    const ids = files.map(({ id }) => id)
    const [row] = await tx.query<{ shown: object }>('select link_files_v1($1, $2::text[], $3) as shown', [
      target.bucket,
      ids,
      item,
    ])
    await tx.query(
      'update group_messages set files = $4, marks = marks | 32 where bucket = $1 and chat = $2 and id = $3',
      [target.bucket, target.chat, item, JSON.stringify(row!.shown)],
    )
  }
}

const indexed = (target: Target, { k, author, ms, body, files }: Placed) => ({
  id: idOf(target, k),
  bucket: target.bucket,
  chat: target.chat,
  fromaddr: author,
  ms,
  texts: [body],
  files: files.map(({ name, type }) => ({ name, ...(type !== undefined && { type }) })),
})

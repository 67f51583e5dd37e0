// Says what counts as an answer: for a wallet that begins no conversations, and for first contacts.

import type { Db } from '../db/pool.ts'
import { hour } from '../lib/times.ts'
import { walletBucket } from '../values/bucket.ts'

/**
 * This is true when an end of a conversation `c` has written something that the other end has seen or can see, as SQL. An end's
 * own decisions are no part of it: the other end must not be able to notice them. A message that was not withheld is either
 * unread, and counted, or read, and found by the index of those; the first one of a conversation counts also when it was deleted.
 * An end that erased its account begins again. `bucket` is that of the conversation.
 */
export function hasWritten(end: 'a' | 'b', bucket = 'c.bucket'): string {
  const other = end === 'a' ? 'b' : 'a'
  const messages = `select 1 as one from direct_messages w
    where w.bucket = ${bucket} and w.conversation_id = c.id and w.fromaddr = c.${end} and not w.hidden_from_recipient`
  return `case when c.left_${end} > 0 then exists (${messages} and w.id > c.left_${end})
    else c.began_ms > 0 and c.began_by_a = ${end === 'a'} and c.withheld_since_${other} is null
      or c.unread_${other} > 0 or exists (${messages} and w.read) end`
}

export const week = 7 * 24 * hour

/** Says how the conversations went that a wallet has begun on a day, counted since 1970. */
interface Day {
  day: number
  asked: number
  accepted: number
}

const begun = `
  select day, count(*) as asked
  from (
    select began_ms / 86400000 as day from conversations where a = $1 and b <> $1 and began_by_a and began_ms >= $2
    union all
    select began_ms / 86400000 from conversations where b = $1 and a <> $1 and not began_by_a and began_ms >= $2
  ) c group by day order by day`

const answered = `
  select c.began_ms / 86400000 as day, c.b as peer from conversations c
  where c.a = $1 and c.b <> $1 and c.began_by_a and c.began_ms >= $2 and ${hasWritten('b')}
  union all
  select c.began_ms / 86400000, c.a from conversations c
  where c.b = $1 and c.a <> $1 and not c.began_by_a and c.began_ms >= $2 and ${hasWritten('a')}`

const known = `
  select address from wallets_seen
  where wbucket = any($1::integer[]) and address = any($2::text[]) and first_ms <= $3`

/** Returns how the conversations went that a wallet has begun since a time, by the day. */
export async function findDays(db: Db, wallet: string, since: number): Promise<Day[]> {
  const [asked, answers] = await Promise.all([
    db.query<Omit<Day, 'accepted'>>(begun, [wallet, since]),
    db.query<{ day: number; peer: string }>(answered, [wallet, since]),
  ])
  const peers = answers.map(({ peer }) => peer)
  const old = peers.length > 0 ? [[...new Set(peers.map(walletBucket))], peers, db.now() - week] : undefined
  const rows = old ? await db.query<{ address: string }>(known, old) : []
  const counting = new Set(rows.map(({ address }) => address))
  return asked.map(({ day, asked: of }) => ({
    day,
    asked: of,
    accepted: answers.filter((one) => one.day === day && counting.has(one.peer)).length,
  }))
}

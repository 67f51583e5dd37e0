// This file has the SQL of what a message has besides its row `m`: its reactions, and whether it is pinned. The column `marks`
// says which messages have any, so that a list reads it only for those.

import { type Fields, jsonEither } from '../db/json.ts'

/** Makes the field of reactions from a table of values with `n`, the number of wallets, and `mine`. */
const reactionsOf = (values: string) => `coalesce((
  select ',"reactions":[' || string_agg('{"value":' || to_json(v.value)::text || ',"count":' || v.n
    || case when v.mine then ',"mine":true}' else '}' end, ',' order by v.n desc, v.value) || ']'
  from (${values}) v), '')`

/** A conversation has two wallets, so theirs are counted. A value that its wallet alone sees counts for that wallet. */
const ofConversation = (reader: string, bucket: string) => `
  select u.value, count(*) as n, bool_or(r.walletaddr = ${reader}) as mine
  from reactions r cross join lateral unnest(r.vals) as u (value)
  where r.bucket = ${bucket} and r.item_id = m.id and (not r.unseen or r.walletaddr = ${reader})
  group by u.value`

const ofChat = (reader: string, bucket: string) => `
  select c.value, sum(c.n) as n, bool_or(c.mine) as mine from (
    select k.value, k.n, false as mine from reaction_counts k where k.bucket = ${bucket} and k.item_id = m.id
    union all
    select u.value, r.unseen::integer, true from reactions r cross join lateral unnest(r.vals) as u (value)
    where r.bucket = ${bucket} and r.item_id = m.id and r.walletaddr = ${reader}
  ) c group by c.value`

const pinOf = (reader: string, bucket: string) => `case when m.marks & 4 <> 0 and exists (
  select 1 from pins p where p.bucket = ${bucket} and p.item_id = m.id and (not p.unseen or p.walletaddr = ${reader})
  ) then ',"pinned":true' else '' end`

const marksOf =
  (values: typeof ofChat) =>
  (reader: string, bucket: string): Fields =>
    jsonEither(
      'm.marks = 0',
      [''],
      [{ sql: reactionsOf(values(reader, bucket)) }, { sql: pinOf(reader, bucket) }],
    )

/** Makes the fields of a direct message `m` as the wallet `reader` sees them. Expressions name the wallet and the bucket. */
export const directMarks = marksOf(ofConversation)

/** Does the same for a message of a chat. */
export const postMarks = marksOf(ofChat)

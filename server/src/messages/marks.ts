// This file has the SQL of what a message has besides its row `m`: its reactions, and whether it is pinned. The column `marks`
// says which messages have any, so that a list reads it only for those.

import { type Fields, jsonEither } from '../db/json.ts'

/** A direct message has them in its row, as each of its ends sees them. */
const ofMessage = (reader: string) =>
  `coalesce(',"reactions":' || m.reacted[case when m.fromaddr = ${reader} then 1 else 2 end], '')`

/** Marks the values of the reader among the reactions of a post: mostly there is one. */
const withMine = ['r.vals[1]', 'r.vals[2]', 'r.vals[3]'].map((value) => {
  const item = `coalesce('"value":' || to_json(${value})::text || ',', '')`
  return (reactions: string) => `replace(${reactions}, ${item}, '"mine":true,' || ${item})`
})
const withAllOfMine = withMine.reduce((reactions, mark) => mark(reactions), 'm.reacted')

/** These are the reactions to a post for a wallet that alone sees its own ones. */
const withUnseen = (bucket: string) => `(
  select '[' || string_agg(reaction_item_v1(v.value, v.n, v.mine), ',' order by v.n desc, v.value) || ']'
  from (
    select a.value, sum(a.n)::bigint as n, bool_or(a.mine) as mine from (
      select k.value, k.n, false as mine from reaction_counts k where k.bucket = ${bucket} and k.item_id = m.id
      union all
      select u.value collate "C", 1, true from unnest(r.vals) as u (value)
    ) a group by a.value
  ) v)`

/** A post has them in its row, as those see them who have not reacted. */
const ofPost = (
  reader: string,
  bucket: string,
) => `case when m.marks & 2 <> 0 then coalesce(',"reactions":' || coalesce((
  select case when r.unseen then ${withUnseen(bucket)}
    when r.vals[2] is null then ${withMine[0]!('m.reacted')} else ${withAllOfMine} end
  from reactions r where r.bucket = ${bucket} and r.item_id = m.id and r.walletaddr = ${reader}), m.reacted), '') else '' end`

const pinOf = (reader: string, bucket: string) => `case when m.marks & 4 <> 0 and exists (
  select 1 from pins p where p.bucket = ${bucket} and p.item_id = m.id and (not p.unseen or p.walletaddr = ${reader})
  ) then ',"pinned":true' else '' end`

const marksOf =
  (reactions: typeof ofPost) =>
  (reader: string, bucket: string): Fields =>
    jsonEither('m.marks = 0', [''], [{ sql: reactions(reader, bucket) }, { sql: pinOf(reader, bucket) }])

/** Makes the fields of a direct message `m` as the wallet `reader` sees them. Expressions name the wallet and the bucket. */
export const directMarks = marksOf(ofMessage)

/** Does the same for a message of a chat. */
export const postMarks = marksOf(ofPost)

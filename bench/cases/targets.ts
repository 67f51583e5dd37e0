import { deepPair, otherPair, type Pair } from '../data/layout.ts'
import type { Access } from '../service/access.ts'

/** The conversations that have a hundred messages and more. */
export const deepPairs = ({ layout }: Access): Pair[] =>
  Array.from({ length: layout.deep }, (_, n) => deepPair(n))

/** At most 2,000 of the other conversations, spread over all of them. */
export function somePairs({ layout: { people, others } }: Access): Pair[] {
  const count = Math.min(2000, others)
  return Array.from({ length: count }, (_, i) => otherPair(people, Math.floor((i * others) / count)))
}

export interface Since {
  one: string
  other: string
  /** Epoch milliseconds. */
  time: number
}

/** The deep conversations with the time of their newest message, or of one that many before it. */
export const since =
  (back: number) =>
  async (access: Access): Promise<Since[]> =>
    access.db.query<Since>(
      `select one, other, floor(extract(epoch from m.timestamp) * 1000)::bigint as time
       from unnest($1::text[], $2::text[]) p (one, other)
       join conversations c on c.a = least(one collate "C", other) and c.b = greatest(one collate "C", other)
       cross join lateral (
         select timestamp from direct_messages where conversation_id = c.id order by timestamp desc offset $3 limit 1
       ) m`,
      [deepPairs(access).map(([one]) => one), deepPairs(access).map(([, other]) => other), back],
    )

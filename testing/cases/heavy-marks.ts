// These are the most reactions, pins and earlier versions that the posts of the heavy wallet may have.

import { other, quotes, type Step } from './heavy-reports.ts'

const posts = 'generate_series(1::bigint, 400) n'
/** Three more have room. */
const kinds = `array(select chr(x'1f600'::int + k) from generate_series(0, 16) k)`

/** Writes them for all posts of a chat. */
export const marksOf = (wallet: string, of: [bucket: number, chat: string]): Step[] => [
  [
    `insert into reactions (bucket, item_id, walletaddr, vals, ms)
     select $1::int, n * 64 + $1::int, w.address, (${kinds})[1:3], 1 from ${posts}
     cross join (select ${other('k')} as address from generate_series(1, 40) k union all select $2::text) w`,
    [of[0], wallet],
  ],
  [
    `insert into reaction_counts (bucket, item_id, value, n)
     select $1::int, n * 64 + $1::int, k.value, 41 from ${posts} cross join unnest(${kinds}) as k (value)`,
    [of[0]],
  ],
  [
    `insert into pins (bucket, place, item_id, walletaddr, ms)
     select $1::int, $2::text, n * 64 + $1::int, $3::text, n from generate_series(351::bigint, 400) n`,
    [...of, wallet],
  ],
  [
    `update group_messages set marks = 6, rev = 10, edited_ms = 1, edits = (
       select jsonb_agg(version_v1(v, 1, ${quotes(65_536)}, null, null)) from generate_series(0, 9) v)
     where bucket = $1 and chat = $2 and id between 64 and 20 * 64 + 63`,
    of,
  ],
  ['update group_messages set marks = 6 where bucket = $1 and chat = $2', of],
  [`select count(show_post_reactions_v1($1::int, $2::text, n * 64 + $1::int)) from ${posts}`, of],
]

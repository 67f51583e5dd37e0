// Counts what the directory shows and how it is ordered: once an hour, on one instance, a bucket at a time. A job that was killed
// begins again, and nothing is counted twice.
//
// How many members have opened a community or one of its rooms in the last week is counted once a day, and shown as
// messages/shown-count.ts says; rooms that a rule closes do not count.

import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { day } from '../../lib/times.ts'
import { shownCount } from '../../messages/shown-count.ts'
import { allBuckets } from '../../values/bucket.ts'

/** Of a wallet that has created more than this many, those with fewer members than this are last. */
const mostOfOne = 5
const fewMembers = 25
/** Members are counted again after a day; the job runs at about the same minute of an hour. */
const countedFor = day - 600_000

type Ctx = Pick<Context, 'db' | 'config'>

export async function countCommunities({ db, config }: Ctx, signal?: AbortSignal): Promise<void> {
  const creators = await db.query<{ creator: string }>(
    `select creator from communities where creator is not null group by creator having count(*) > ${mostOfOne}`,
  )
  const withMany = creators.map(({ creator }) => creator)
  for (const bucket of allBuckets) {
    if (signal?.aborted) return
    await countActive(db, config.jwtSecret, bucket)
    await db.query(countMembers, [bucket, withMany])
  }
}

const countMembers = `
  update community_profiles p set members = s.members, is_last = s.is_last
  from (
    select k.chat, coalesce(c.members, 0) as members,
      coalesce(c.members, 0) = 0 or (coalesce(k.creator = any($2::text[]), false) and c.members < ${fewMembers}) as is_last
    from communities k left join group_chats c on c.bucket = $1 and c.chat = k.chat where k.bucket = $1
  ) s
  where p.bucket = $1 and p.chat = s.chat and (p.members, p.is_last) is distinct from (s.members, s.is_last)`

async function countActive(db: Db, secret: string, bucket: number): Promise<void> {
  const now = db.now()
  const rows = await db.query<{ chat: string; active: number }>(
    `select p.chat, count(distinct h.walletaddr)::float8 as active from community_profiles p
     left join lateral (
       select p.chat as chat union all select r.chat from rooms r where r.bucket = $1 and r.parent = p.chat and not exists (
         select 1 from chat_gates g where g.bucket = $1 and g.chat = r.chat and g.read_rule is not null)
     ) c on true
     left join group_visits v on v.bucket = $1 and v.chat = c.chat and v.joined and v.entry_ms >= $2
     left join group_visits h on h.bucket = $1 and h.chat = p.chat and h.walletaddr = v.walletaddr and h.joined
     where p.bucket = $1 and p.counted_ms < $3 group by p.chat`,
    [bucket, now - 7 * day, now - countedFor],
  )
  if (rows.length === 0) return
  const week = Math.floor(now / (7 * day))
  await db.query(
    `update community_profiles p set active = u.active, counted_ms = $4
     from unnest($2::text[] collate "C", $3::integer[]) as u (chat, active) where p.bucket = $1 and p.chat = u.chat`,
    [
      bucket,
      rows.map(({ chat }) => chat),
      rows.map(({ chat, active }) => shownCount(secret, `active ${week} ${chat}`, active)),
      now,
    ],
  )
}

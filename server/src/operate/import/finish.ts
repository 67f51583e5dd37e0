// The names of people who have no wallet here, and what is done once all messages of a chat are there: its pins.

import { keyOf } from '../../db/own-rows.ts'
import type { Db } from '../../db/pool.ts'
import type { Session } from '../../db/session.ts'
import { systems } from './records.ts'
import { mostPins } from './stage.ts'
import type { Target } from './store.ts'

/** This is true for the address of a person without a wallet. */
const isImported = `address ~ '^(${systems.join('|')}):'`

/** Who wrote or reacted, with their names as far as the export has them. */
const namesOfAuthors = `
  select address, coalesce(p.name, case when address ~ ':somebody-[0-9]+$' then 'Somebody' else split_part(address, ':', 2) end) as name
  from (
    select author as address from placed
    union select u.address from placed
    cross join lateral jsonb_array_elements(more->'reactions') r
    cross join lateral jsonb_array_elements_text(r->'users') u (address)
  ) a left join people p using (address)
  where ${isImported} and address > $1
    -- The person was here, and has erased everything.
    and not exists (select 1 from imported_claims c where c.address = a.address and c.walletaddr is null)
  order by address limit 100`

/**
 * Gives people without a wallet the names they had. Such a name takes no other one: it has no skeletons, and nobody finds it by its
 * name. A name that is there already stays, and one that its person has erased does not come back.
 */
export async function nameAuthors(session: Session, db: Db): Promise<void> {
  for (let after = ''; ;) {
    const some = await session.query<{ address: string; name: string }>(namesOfAuthors, [after])
    await db.transaction(async (tx) => {
      for (const { address, name } of some) {
        const [wbucket] = keyOf(address)
        await tx.query(`select set_name_v1($1, $2, $3, $4, $3, '{}', null, null, false, true) as changed`, [
          tx.now(),
          wbucket,
          address,
          name.slice(0, 64),
        ])
      }
    })
    if (some.length < 100) return
    after = some.at(-1)!.address
  }
}

/** Pins the newest of the pinned messages, for the owner, and ends the import. */
export async function finish(
  session: Session,
  db: Db,
  { bucket, chat, first_number: first, channel, owner }: Target & { channel: string; owner: string },
): Promise<void> {
  const pinned = await session.query<{ k: number }>(
    `select k from pinned join placed using (channel, ref) where channel = $1 order by k desc limit ${mostPins}`,
    [channel],
  )
  const ids = pinned.map(({ k }) => (first + k) * 64 + bucket)
  await db.transaction(async (tx) => {
    await tx.query(
      `insert into pins (bucket, place, item_id, walletaddr, ms)
       select l.bucket, $2, m.id, $4, m.ms from buckets l
       join group_messages m on m.bucket = $1 and m.chat = $2 and m.id = any($3::bigint[]) and m.removed_by is null
       where l.bucket = $1 on conflict do nothing`,
      [bucket, chat, ids, owner],
    )
    await tx.query(
      'update group_messages set marks = marks | 4 where bucket = $1 and chat = $2 and id = any($3::bigint[])',
      [bucket, chat, ids],
    )
    await tx.query('update imports set ended_ms = $3 where bucket = $1 and chat = $2', [
      bucket,
      chat,
      tx.now(),
    ])
  })
}

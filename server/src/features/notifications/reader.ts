// Notifications of direct messages: a job for each wallet that wants mails and got messages, and one for each conversation of a
// wallet that gets pushes, or messages by Telegram.

import type { Db } from '../../db/pool.ts'
import { enqueueEach } from '../../jobs/queue.ts'
import type { Reader } from '../../live/follow.ts'

/** How many messages a step reads at most. */
const pageSize = 1000

/** Milliseconds in which a page that is open shows a message, and it is read. */
const patience = 5_000

export const reader: Reader = { name: 'dm-mails', purpose: 'mails about messages', readPage }

async function readPage(tx: Db, after: number, upTo: number): Promise<number> {
  const [page] = await tx.query<Page>(pageOfMessages, [after, upTo])
  const { messages, last, due, told } = page!
  if (due) await tx.query(enqueueDue, [due])
  if (told) await tx.query(enqueueTold, [JSON.stringify(told), new Date(tx.now() + patience)])
  return messages < pageSize ? upTo : last
}

interface Page {
  messages: number
  last: number
  /** The wallets that want mails and got messages; null when there are none. */
  due: string[] | null
  /** Those that get pushes, or messages by Telegram, with who wrote to them. */
  told: { t: string; f: string }[] | null
}

const pageOfMessages = `
  with page as materialized (
    select id, fromaddr, toaddr, withheld from direct_messages where id > $1 and id <= $2 order by id limit ${pageSize}
  )
  select (select count(*) from page) as messages, (select max(id) from page) as last, (
    select array_agg(distinct p.toaddr) from page p
    join settings s on s.walletaddr = p.toaddr and s.notifydm and s.verified
    where p.fromaddr <> p.toaddr and not p.withheld
  ) as due, (
    select json_agg(json_build_object('t', pairs.toaddr, 'f', pairs.fromaddr)) from (
      select distinct p.toaddr, p.fromaddr from page p
      join push_subscriptions s on s.walletaddr = p.toaddr
      where p.fromaddr <> p.toaddr and not p.withheld
      union
      select p.toaddr, p.fromaddr from page p
      join telegram_links l on l.walletaddr = p.toaddr
      where p.fromaddr <> p.toaddr and not p.withheld
    ) pairs
  ) as told`

const enqueueDue = enqueueEach(
  'send-dm-mail',
  `json_build_object('toaddr', toaddr)`,
  `'send-dm-mail ' || toaddr`,
  'select toaddr from unnest($1::text[]) as d (toaddr)',
)

const enqueueTold = enqueueEach(
  'tell-message',
  `json_build_object('toaddr', t, 'fromaddr', f)`,
  `'tell-message ' || t || ' ' || f`,
  'select t, f from json_to_recordset($1::json) as d (t text, f text)',
  { runAt: '$2' },
)

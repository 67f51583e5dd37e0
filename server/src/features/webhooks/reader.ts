// Deliveries of direct messages: a row for each webhook of a recipient, in the transaction that moves the reader on, and a job
// for each webhook that has new ones. A send pays nothing.

import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { enqueueEach } from '../../jobs/queue.ts'
import type { Reader } from '../../live/follow.ts'
import { mayNotify, takesAll } from '../../messages/consent.ts'

/** How many messages a step reads at most. */
const pageSize = 1000

export const webhookReader = ({ config }: Pick<Context, 'config'>): Reader => ({
  name: 'webhooks',
  purpose: 'webhooks',
  readPage: (tx, after, upTo) => readPage(tx, after, upTo, config.dmDefault),
})

async function readPage(tx: Db, after: number, upTo: number, dmDefault: string): Promise<number> {
  const [page] = await tx.query<Page>(pageOfMessages, [after, upTo, dmDefault])
  const { messages, last, told } = page!
  if (told) {
    await tx.query(insert, [JSON.stringify(told)])
    await tx.query(enqueueHooks, [JSON.stringify(told)])
  }
  return messages < pageSize ? upTo : last
}

interface Told {
  wbucket: number
  walletaddr: string
  hook: string
  id: number
  event: string
  peer: string
  ms: number
}

interface Page {
  messages: number
  last: number
  told: Told[] | null
}

// What the recipient thinks of the sender decides, as for mails and pushes (messages/consent.ts). Whom it has muted may still
// be told to a program.
const side = {
  state: '(case when c.a = m.toaddr then c.state_a else c.state_b end)',
  blocked: '(case when c.a = m.toaddr then c.blocked_a else c.blocked_b end)',
  peer: 'm.fromaddr',
}

const pageOfMessages = `
  with muted as (select '' as peer where false), page as materialized (
    select bucket, conversation_id, id, fromaddr, toaddr, ms, withheld from direct_messages
    where id > $1 and id <= $2 order by id limit ${pageSize}
  ), told as (
    select w.wbucket, w.walletaddr, w.id as hook, m.id, m.fromaddr as peer, m.ms, w.events,
      case
        when ${side.state} = 1 or ${takesAll('m.toaddr', '$3')} then 'message.direct'
        else 'request.new'
      end as event
    from page m
    join webhooks w on w.walletaddr = m.toaddr and w.is_on
    join conversations c on c.bucket = m.bucket and c.id = m.conversation_id
    where m.fromaddr <> m.toaddr and not m.withheld and ${mayNotify(side, 'true')}
  )
  select (select count(*) from page) as messages, (select max(id) from page) as last, (
    select json_agg(json_build_object('wbucket', wbucket, 'walletaddr', walletaddr, 'hook', hook, 'id', id, 'event', event,
      'peer', peer, 'ms', ms)) from told where event = any(events)
  ) as told`

const insert = `
  insert into webhook_deliveries (wbucket, walletaddr, hook, id, event, peer, ms)
  select b.bucket, walletaddr, hook, id, event, peer, ms
  from buckets b join json_to_recordset($1::json)
    as d (wbucket integer, walletaddr text, hook text, id bigint, event text, peer text, ms bigint) on d.wbucket = b.bucket
  on conflict do nothing`

const enqueueHooks = enqueueEach(
  'deliver-webhook',
  `json_build_object('walletaddr', walletaddr, 'hook', hook)`,
  `'deliver-webhook ' || hook`,
  'select distinct walletaddr, hook from json_to_recordset($1::json) as d (walletaddr text, hook text)',
  { queue: `'webhook ' || hook` },
)

// Notifications about direct messages are jobs: one for each conversation of a wallet that an instant channel reaches, and one
// for each wallet that a digest channel reaches.

import type { Db } from '../../db/pool.ts'
import type { Reader } from '../../cluster/follow.ts'
import { reachedBy } from './channel.ts'
import { digestChannels, instantChannels } from './channels.ts'
import { enqueueDigests } from './digest.ts'
import { mailsFollow } from './message-mails.ts'
import { enqueueNotifyEach } from './notify.ts'

/** The maximum number of messages that a step reads. */
const pageSize = 1000

/** Milliseconds in which an open page shows a message, and it is read. */
const patience = 5_000

export const reader: Reader = { ...mailsFollow, purpose: 'mails about messages', readPage }

async function readPage(tx: Db, after: number, upTo: number): Promise<number> {
  const [page] = await tx.query<Page>(pageOfMessages, [after, upTo])
  const { messages, last, digests, conversations } = page!
  for (const channel of digestChannels) {
    const wallets = digests[channel.name]
    if (wallets) await tx.query(enqueueDigests(channel), [wallets])
  }
  if (conversations)
    await tx.query(enqueueConversations, [JSON.stringify(conversations), new Date(tx.now() + patience)])
  return messages < pageSize ? upTo : last
}

interface Page {
  messages: number
  last: number
  /** The wallets that each channel reaches and that got messages. */
  digests: Record<string, string[] | null>
  /** The senders of messages to a wallet that an instant channel reaches. */
  conversations: { wallet: string; subject: string }[] | null
}

const received = { from: 'received r', wallet: 'r.toaddr' }
const digests = digestChannels.map(
  (channel) =>
    `'${channel.name}', (select json_agg(d.toaddr) from (${reachedBy([channel], { columns: 'r.toaddr', ...received })}) d)`,
)

const pageOfMessages = `
  with page as materialized (
    select id, fromaddr, toaddr, withheld from direct_messages where id > $1 and id <= $2 order by id limit ${pageSize}
  ), received as materialized (
    select distinct toaddr, fromaddr from page where fromaddr <> toaddr and not withheld
  )
  select (select count(*) from page) as messages, (select max(id) from page) as last,
    json_build_object(${digests.join(', ')}) as digests, (
    select json_agg(json_build_object('wallet', c.toaddr, 'subject', c.fromaddr)) from (
      ${reachedBy(instantChannels, { columns: 'r.toaddr, r.fromaddr', ...received })}
    ) c
  ) as conversations`

const enqueueConversations = enqueueNotifyEach('peer')

import { fieldRenaming } from '@parley/sdk/contract/encryption.ts'
import type { Config } from '../../config/settings.ts'
import { byPages, pageSize } from '../../db/export-lines.ts'
import type { Db } from '../../db/pool.ts'
import type { Tables } from '../../feature.ts'
import { chatItemExported } from '../../messages/direct-message.ts'
import { notErasedBy, notHiddenFrom } from '../../messages/shared-sql.ts'
import { eraseConversations } from './erase.ts'

// The key comes from an array, as in lists.ts, so that each part uses its index.
const part = (column: string, more = '') => `
  (select m.* from direct_messages m where m.${column} = any(array[$1::text])${more} and m.id > $2
     and ${notErasedBy('$1')} and ${notHiddenFrom('$1')}
   order by m.${column}, m.id limit ${pageSize})`

/** Yields direct messages in either direction, in the shape of the contract, oldest first. */
async function* findLines(db: Db, wallet: string, { encryptionVendor }: Config) {
  const { toWire } = fieldRenaming(encryptionVendor)
  const pages = byPages(
    db,
    wallet,
    `select ${chatItemExported('$1')} as item, json_build_array(m.id) as place
     from (${part('fromaddr')} union all ${part('toaddr', ' and m.fromaddr <> $1')}) m order by m.id`,
    [0],
  )
  for await (const page of pages) yield toWire(page)
}

export const tables: Tables = {
  conversations: {
    exported: 'in direct-messages.jsonl and contacts.jsonl',
    erased: { before: eraseConversations },
    stays: 'the side of a peer that was not erased',
    ends: 'erasure',
    access: 'messages',
  },
  direct_messages: {
    exported: { lines: { 'direct-messages.jsonl': findLines } },
    erased: 'one side with the conversation, the row with the second side',
    stays: 'what a peer has received, or has sent to it',
    ends: 'retention',
    access: 'messages',
  },
  conversation_copies: {
    exported: 'of a cluster; made from conversations',
    erased: 'with conversations',
    stays: 'of a cluster: the same side, and for an hour that there was another one',
    ends: 'bound',
    access: 'messages',
  },
}

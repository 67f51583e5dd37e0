import type { ChatItem, NewChatItem } from '@parley/sdk/contract/direct-messages.ts'
import { batched } from '../../db/batch.ts'
import type { Db } from '../../db/pool.ts'
import {
  lastItemVersion,
  messageColumns,
  newLastItem,
  storedChatItem,
} from '../../messages/direct-message.ts'
import {
  namesOf,
  type NewMessage,
  type RequestKey,
  requireStored,
  storeTogether,
} from '../../messages/storing.ts'
import type { Quotas } from '../../limits/quotas.ts'
import { placeOf } from '../../values/bucket.ts'

interface DirectMessage extends NewMessage {
  message: NewChatItem
}

/**
 * Handles a send: stores the message and brings its conversation up to date, together with others
 * that arrive at the same time; once for each key. Throws 429 when the conversation's time is ahead
 * of the clock, and when the message would begin a conversation that its sender may not begin today.
 */
export async function insertMessage(
  { db, quotas }: { db: Db; quotas: Quotas },
  { body: message, key }: { body: NewChatItem; key: RequestKey | undefined },
): Promise<{ item: ChatItem; repeated: boolean }> {
  const { fromaddr, toaddr } = message
  const mayBegin = quotas.mayBegin(fromaddr)
  const row = await insertTogether(db, { ...placeOf(fromaddr, toaddr), key, mayBegin, message })
  const stored = requireStored(row as typeof row & { began: boolean | null }, 'conversation', () =>
    quotas.refusalOf('strangers'),
  )
  if (stored.began) quotas.countBegun(fromaddr)
  return { item: storedChatItem(message, stored), repeated: stored.repeated }
}

const insertTogether = batched(
  storeTogether<DirectMessage, keyof NewChatItem>({
    one: 'send_direct_message_v1',
    many: 'send_direct_messages_v1',
    texts: namesOf(messageColumns),
    textsOf: ({ message }) => message,
    copyVersion: lastItemVersion,
    copyOf: ({ message }, ms) => newLastItem(message, ms),
    begins: true,
  }),
  { inFlight: 2, size: 64, waitsFor: 'rows' },
)

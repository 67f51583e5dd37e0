import type { Conversation } from '@parley/sdk/contract/own-side.ts'
import type { Db } from '../../db/pool.ts'
import { eventJson } from '../../messages/events.ts'
import { type Holds, keepingMessages } from '../../messages/holds.ts'
import { erasedBy, instant, notHiddenFrom } from '../../messages/shared-sql.ts'
import { bucketOfId, inOrder, pairBucket, placeOf } from '../../values/bucket.ts'

/** Hides a message from a wallet. Returns true when the wallet has sent or received it, and sees it. */
export async function hideMessage(db: Db, holds: Holds, wallet: string, id: number): Promise<boolean> {
  const [message] = await db.query<{ conversation_id: number; fromaddr: string; toaddr: string }>(
    `select m.conversation_id, m.fromaddr, m.toaddr from direct_messages m
     join conversations c on c.bucket = m.bucket and c.id = m.conversation_id and m.id > ${erasedBy('$1')}
     where m.bucket = $2 and m.id = $3 and $1 in (m.fromaddr, m.toaddr) and ${notHiddenFrom('$1')}`,
    [wallet, bucketOfId(id), id],
  )
  if (!message) return false
  const { conversation_id, fromaddr, toaddr } = message
  const ends = { id, fromaddr, toaddr }
  await keepingMessages(db, holds, { between: [fromaddr, toaddr], ids: [id] }, (tx) =>
    tx.query('select hide_direct_message_v1($1, $2, $3, $4, $5, $6, $7)', [
      tx.now(),
      bucketOfId(id),
      conversation_id,
      id,
      wallet,
      eventJson({ type: 'hidden', ...ends }),
      eventJson({ type: 'read', ...ends, read: true }),
    ]),
  )
  return true
}

/** Hides from a wallet everything between it and a peer. */
export const hideConversation = (db: Db, holds: Holds, wallet: string, peer: string) =>
  keepingMessages(db, holds, { between: [wallet, peer] }, (tx) =>
    tx.query('select hide_conversation_v1($1, $2, $3, $4, $5, $6)', [
      tx.now(),
      pairBucket(wallet, peer),
      ...inOrder(wallet, peer),
      wallet,
      eventJson({ type: 'conversation-hidden', fromaddr: wallet, toaddr: peer }),
    ]),
  )

/** Returns whether a wallet sees a pinned message in a conversation. */
export async function hasPins(db: Db, wallet: string, peer: string): Promise<boolean> {
  const { bucket, place } = placeOf(wallet, peer)
  const pins = await db.query(
    'select 1 as one from pins where bucket = $1 and place = $2 and (not unseen or walletaddr = $3) limit 1',
    [bucket, place, wallet],
  )
  return pins.length > 0
}

export async function getConversation(db: Db, wallet: string, peer: string): Promise<Conversation> {
  const [row] = await db.query<Required<Conversation>>(
    `select case when emptied_by_a then a else b end as emptied_by, ${instant('emptied_ms')} as emptied_at
     from conversations where bucket = $1 and a = $2 and b = $3 and emptied_ms is not null
       and not (emptied_unseen and case when emptied_by_a then a else b end <> $4)`,
    [pairBucket(wallet, peer), ...inOrder(wallet, peer), wallet],
  )
  return row ?? {}
}

import { mostPins, type Pin } from '@parley/sdk/contract/pins.ts'
import type { Publishing } from '../../auth/publishing.ts'
import type { Db } from '../../db/pool.ts'
import { eventJson } from '../../messages/events.ts'
import type { MessagePlace } from '../../messages/message-place.ts'
import { erasedBy, instant, notHiddenFrom } from '../../messages/shared-sql.ts'
import { bucketOfId } from '../../values/bucket.ts'

interface Change {
  id: number
  wallet: string
  pinned: boolean
}

/** Pins a message, or removes its pin. Returns why it is refused. */
export async function changePin(
  db: Db,
  place: MessagePlace,
  { id, wallet, pinned }: Change,
  { isUnseen }: Pick<Publishing, 'isUnseen'>,
): Promise<string | null> {
  const isDirect = place.kind === 'conversation'
  const event = eventJson({
    type: pinned ? 'pinned' : 'unpinned',
    id,
    fromaddr: wallet,
    ...(isDirect ? { toaddr: place.peer } : { nftaddr: place.nftaddr }),
  })
  const [row] = await db.query<{ refused: string | null }>(
    `select ${isDirect ? 'pin_message_v1' : 'pin_post_v1'}($1, $2, $3, $4, $5, $6, $7, $8) as refused`,
    [
      db.now(),
      bucketOfId(id),
      isDirect ? place.conversation : place.chat,
      id,
      wallet,
      pinned,
      isUnseen,
      event,
    ],
  )
  return row!.refused
}

interface Place {
  bucket: number
  place: string
}

const pin = `p.item_id as id, p.walletaddr as pinned_by, ${instant('p.ms')} as pinned_at`

/** Returns the pinned messages of a conversation that a wallet sees. */
export const listPinsOfPair = (db: Db, { bucket, place }: Place, wallet: string): Promise<Pin[]> =>
  db.query<Pin>(
    `select ${pin} from conversations c
     join pins p on p.bucket = c.bucket and p.place = $2
     join direct_messages m on m.bucket = c.bucket and m.conversation_id = c.id and m.id = p.item_id
     where c.bucket = $1 and p.bucket = $1 and m.bucket = $1 and c.a || ' ' || c.b = $2
       and c.a = split_part($2, ' ', 1) and c.b = split_part($2, ' ', 2) and (not p.unseen or p.walletaddr = $3)
       and m.id > ${erasedBy('$3')} and ${notHiddenFrom('$3')}
     order by p.ms desc, p.item_id desc limit ${mostPins}`,
    [bucket, place, wallet],
  )

export const listPinsOfChat = (db: Db, { bucket, place }: Place, wallet: string): Promise<Pin[]> =>
  db.query<Pin>(
    `select ${pin} from pins p where p.bucket = $1 and p.place = $2 and (not p.unseen or p.walletaddr = $3)
     order by p.ms desc, p.item_id desc limit ${mostPins}`,
    [bucket, place, wallet],
  )

import { mostReactionsListed, type OwnReaction, type Reaction } from '@parley/sdk/contract/reactions.ts'
import { batched } from '../../db/batch.ts'
import { list } from '../../db/pages.ts'
import type { Db } from '../../db/pool.ts'
import { eventJson } from '../../messages/events.ts'
import type { MessagePlace } from '../../messages/message-place.ts'
import { bucketOfId } from '../../values/bucket.ts'

interface Change {
  id: number
  wallet: string
  /** They are in order, so that the same set is the same. */
  values: string[]
  isUnseen: boolean
}
type Of<Kind> = Extract<MessagePlace, { kind: Kind }>

/** Sets the reactions of a wallet to a direct message. Returns why they are refused. */
export async function reactToMessage(
  db: Db,
  { conversation, peer }: Of<'conversation'>,
  { id, wallet, values, isUnseen, sealed }: Change & { sealed: boolean },
): Promise<string | null> {
  const [row] = await db.query<{ refused: string | null }>(
    'select react_to_message_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as refused',
    [
      db.now(),
      bucketOfId(id),
      conversation,
      id,
      wallet,
      values,
      sealed,
      isUnseen,
      eventJson({ type: 'reacted', id, fromaddr: wallet, toaddr: peer }),
      ownEvent(id),
    ],
  )
  return row!.refused
}

interface PostChange extends Change {
  chat: Of<'chat'>
}

async function reactTogether(db: Db, changes: PostChange[]): Promise<(string | null)[]> {
  const rows = changes.map(({ chat: { chat, nftaddr }, id, wallet, values, isUnseen }) => {
    const event = eventJson({ type: 'reacted', id, nftaddr })
    return [chat, id, wallet, values.join(' '), isUnseen, event, ownEvent(id)]
  })
  const [row] = await db.query<{ refused: (string | null)[] }>(
    `select react_to_posts_v1(
       $1, $2, $3::text[], $4::bigint[], $5::text[], $6::text[], $7::boolean[], $8::jsonb[], $9::jsonb[]) as refused`,
    [db.now(), bucketOfId(changes[0]!.id), ...rows[0]!.map((_, i) => rows.map((one) => one[i]))],
  )
  return row!.refused
}

/** Sets the reactions of a wallet to a message of a chat. Returns why they are refused. */
export const reactToPost = batched(reactTogether, {
  name: 'reactions',
  inFlight: 1,
  size: 64,
  waitsFor: 'rows',
  groupOf: (_, { id }) => bucketOfId(id),
})

/** The reader of the log adds the values. */
const ownEvent = (id: number) => eventJson({ type: 'reacted-mine', id, values: [] })

/**
 * Returns who has reacted to a message, as a wallet sees it; with a value, who has reacted with that. Then all reactions to
 * the message may be read, which are beside each other: a chat has thousands at most, so no index has the values.
 */
export const listReactions = (
  db: Db,
  id: number,
  wallet: string,
  { after = '', value }: { after?: string | undefined; value?: string | undefined },
): Promise<Reaction[]> =>
  db.query<Reaction>(
    `select walletaddr as fromaddr, vals as "values" from reactions
     where bucket = $1 and item_id = $2 and walletaddr > $3 and (not unseen or walletaddr = $4)
       and ($5::text is null or $5 = any (vals))
     order by walletaddr limit ${mostReactionsListed}`,
    [bucketOfId(id), id, after, wallet, value ?? null],
  )

/** Returns the reactions of a wallet, in the order of messages. */
export const listOwnReactions = list<OwnReaction, 'wallet' | 'from' | 'to'>({
  types: { wallet: 'text', from: 'bigint', to: 'bigint' },
  rows: (direction) => `
    select item_id as id, vals from reactions
    where walletaddr = :wallet and item_id >= :from and item_id <= :to and item_id > :after and item_id < :before
    order by item_id ${direction} limit :limit`,
  item: `json_build_object('id', m.id, 'values', m.vals)::text`,
  texts: ['array_to_string(m.vals, $$$$)'],
})

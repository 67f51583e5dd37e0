import { ApiError } from '@parley/sdk/contract/errors.ts'
import { type Config, hasChains } from '../config/settings.ts'
import { coalesced } from '../db/coalesce.ts'
import type { Db } from '../db/pool.ts'
import { type Chat, chatKey, isNftKey } from './chat-key.ts'
import { chatBucket, walletBucket } from '../values/bucket.ts'
import { eventJson } from './events.ts'

const findCommunity = coalesced<{ community: string }>(
  'select community from communities where bucket = $1 and chat = $2',
  ['integer', 'text'],
  { atOnce: 32 },
)

/**
 * Who may read and post in a group chat: anyone in a community, holders in the chat of an NFT.
 * Anything else is 404.
 */
export async function requireChat(
  ctx: { db: Db; config: Pick<Config, 'rpcUrls'> },
  nftaddr: string,
  wallet: string,
): Promise<Chat> {
  const chat = chatKey(nftaddr)
  const [community] = await findCommunity(ctx.db, [chatBucket(chat), chat])
  if (community) return { chat, nftaddr: community.community, context_type: 'community' }
  if (isNftKey(nftaddr)) {
    if (hasChains(ctx.config)) {
      const { requireHolder } = await import('../chains/ownership.ts')
      await requireHolder(ctx, nftaddr, wallet)
    }
    return { chat, nftaddr, context_type: 'nft' }
  }
  throw new ApiError(
    'not_found',
    'There is no such chat: nftaddr must be an NFT contract, or the name of a community that exists.',
  )
}

/**
 * Stores that a wallet has entered a chat: everything posted so far is read. Returns the id of the
 * last message that now counts as read: the caller must not show later ones, which would be shown
 * and still count as unread.
 */
export async function enterChat(
  { db, events }: { db: Db; events: { poke: () => void } },
  wallet: string,
  { chat, nftaddr }: Chat,
): Promise<number> {
  const event = eventJson({ type: 'inbox', change: 'entered', nftaddr })
  const [entry] = await db.query<{ last_id: number; moved: boolean }>(
    'select last_id, moved from enter_chat_v1($1, $2, $3, $4, $5, $6)',
    [db.now(), chatBucket(chat), chat, walletBucket(wallet), wallet, event],
  )
  if (entry!.moved) events.poke()
  return entry!.last_id
}

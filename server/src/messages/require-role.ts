import { ApiError } from '@parley/sdk/contract/errors.ts'
import { requireNoTakedown, type Standing } from '../auth/standing.ts'
import type { Db } from '../db/pool.ts'
import { chatKey, communityOf } from './chat-key.ts'
import { getRole, type Role } from './chat-rules.ts'

/** Returns the keys of a chat in which a wallet has a role, and of its community, whose team it has; a chat of an NFT is its own. */
export async function requireRole(
  { db, standing }: { db: Db; standing: Pick<Standing, 'sanction'> },
  nftaddr: string,
  wallet: string,
  ...allowed: Role[]
) {
  const chat = chatKey(nftaddr)
  requireNoTakedown(standing, chat)
  const role = await getRole(db, chat, wallet)
  if (role !== undefined && allowed.includes(role)) return { chat, community: communityOf(chat), role }
  const who = allowed.includes('moderator') ? 'its owner and its moderators' : 'its owner'
  throw new ApiError(
    'forbidden',
    `Only ${who} may do this in a chat: GET /v1/chats/${encodeURIComponent(nftaddr)}/moderators lists them.`,
  )
}

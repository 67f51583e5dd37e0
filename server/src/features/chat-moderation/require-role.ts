import { ApiError } from '@parley/sdk/contract/errors.ts'
import { requireNoTakedown } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { getRole, type Role } from '../../messages/chat-rules.ts'

/** Returns the key of a chat in which a wallet has a role. */
export async function requireRole(
  { db, standing }: Context,
  nftaddr: string,
  wallet: string,
  ...allowed: Role[]
) {
  const chat = chatKey(nftaddr)
  requireNoTakedown(standing, chat)
  const role = await getRole(db, chat, wallet)
  if (role !== undefined && allowed.includes(role)) return { chat, role }
  const who = allowed.includes('moderator') ? 'its owner and its moderators' : 'its owner'
  throw new ApiError(
    'forbidden',
    `Only ${who} may do this in a chat: GET /v1/chats/${encodeURIComponent(nftaddr)}/moderators lists them.`,
  )
}

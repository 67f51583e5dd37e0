// The one way in which a direct message is sent. Some senders begin no conversations: API keys without the scope dm:begin, and
// bots, with whatever they call.

import type { ChatItem, NewChatItem } from '@parley/sdk/contract/direct-messages.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Bots } from '../auth/bots.ts'
import type { Wallet } from '../auth/tokens.ts'
import { changing } from './changing.ts'
import { isAnswered } from './consent.ts'
import { storeMessage } from './direct-message.ts'

type Tools = Parameters<typeof storeMessage>[0] & { bots: Bots }
type Asked = Parameters<typeof storeMessage>[1] & { caller: Wallet }

export async function sendMessage(ctx: Tools, asked: Asked): Promise<{ item: ChatItem; repeated: boolean }> {
  const { caller, body } = asked
  const refusal = await refusalToBegin(ctx, caller, body)
  if (refusal) await requireAnswered(ctx, body, refusal)
  return changing(ctx.db, [body.fromaddr, body.toaddr], storeMessage(ctx, asked))
}

/** The refusal of a sender that begins no conversations; undefined for one that may. */
async function refusalToBegin(
  { bots }: Tools,
  { apiKey }: Wallet,
  { fromaddr, toaddr }: NewChatItem,
): Promise<ApiError | undefined> {
  const reason = `${toaddr} has not written to your wallet.`
  if (await bots.isBot(fromaddr))
    return new ApiError(
      'not_asked',
      `Your wallet is a bot, and a bot begins no conversations: ${reason} It may answer as soon as the other has written.`,
    )
  if (apiKey && !apiKey.scopes.includes('dm:begin'))
    return new ApiError(
      'forbidden',
      `This API key begins no conversations: ${reason} A key with the scope dm:begin may write first.`,
    )
  return undefined
}

/**
 * Throws where the other has not written. Whether it accepts or ignores the wallet or has blocked it makes no difference, or a
 * sender could tell.
 */
async function requireAnswered(
  ctx: Tools,
  { fromaddr, toaddr }: NewChatItem,
  refusal: ApiError,
): Promise<void> {
  if (fromaddr !== toaddr && !(await isAnswered(ctx, fromaddr, toaddr))) throw refusal
}

// Every direct message is sent here. Some senders begin no conversations: API keys and sign-ins without the scope dm:begin, and bots, by any
// endpoint.

import type { ChatItem, NewChatItem } from '@parley/sdk/contract/direct-messages.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { importedFrom } from '@parley/sdk/imported.ts'
import type { Bots } from '../auth/bots.ts'
import type { Wallet } from '../auth/tokens.ts'
import { isAnswered } from './consent.ts'
import { storeMessage } from './direct-message.ts'

type Tools = Parameters<typeof storeMessage>[0] & { bots: Bots }
type SendRequest = Parameters<typeof storeMessage>[1] & { caller: Wallet }

export async function sendMessage(
  ctx: Tools,
  request: SendRequest,
): Promise<{ item: ChatItem; repeated: boolean }> {
  const { caller, body } = request
  const system = importedFrom(body.toaddr)
  if (system)
    throw new ApiError(
      'forbidden',
      `${body.toaddr} was imported from ${system} and has no wallet here: nobody can write to them.`,
    )
  const mayBegin = !caller.apiKey && !ctx.bots.mayBeBot(body.fromaddr)
  const refusal = mayBegin ? undefined : await refusalToBegin(ctx, caller, body)
  if (refusal) await requireAnswered(ctx, body, refusal)
  return ctx.db.layout.copies.changing(ctx.db, [body.fromaddr, body.toaddr], storeMessage(ctx, request))
}

/** Returns the refusal for a sender that begins no conversations; undefined for one that may. */
async function refusalToBegin(
  { bots }: Tools,
  { scopes, apiKey }: Wallet,
  { fromaddr, toaddr }: NewChatItem,
): Promise<ApiError | undefined> {
  const reason = `${toaddr} has not written to your wallet.`
  if (await bots.isBot(fromaddr))
    return new ApiError(
      'not_asked',
      `Your wallet is a bot, and a bot begins no conversations: ${reason} It may answer as soon as the other has written.`,
    )
  if (scopes && !scopes.includes('dm:begin') && !scopes.includes(`dm:${toaddr}`)) {
    const [subject, other] = apiKey ? ['This API key', 'A key'] : ['This sign-in', 'One']
    return new ApiError(
      'forbidden',
      `${subject} begins no conversations: ${reason} ${other} with the scope dm:begin may write first.`,
    )
  }
  return undefined
}

/**
 * Throws where the peer has not written. It makes no difference whether the peer accepts, ignores or has blocked the wallet, or a
 * sender could notice it.
 */
async function requireAnswered(
  ctx: Tools,
  { fromaddr, toaddr }: NewChatItem,
  refusal: ApiError,
): Promise<void> {
  if (fromaddr !== toaddr && !(await isAnswered(ctx, fromaddr, toaddr))) throw refusal
}

import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Wallet } from '../../auth/tokens.ts'
import type { Context } from '../../context.ts'
import { bucketOfFile } from '../../files/ids.ts'
import { requireScope } from '../../http/scopes.ts'
import { getRole } from '../../messages/chat-rules.ts'
import { requirePlace } from '../../messages/message-place.ts'
import { type FileRow, findHeldIn } from './store.ts'

const ofChat = { scope: ['chat:read', 'chat'], place: { chat: ['nftaddr'] } } as const
const ofConversation = {
  scope: ['inbox:read', 'dm:read', 'dm'],
  place: { peer: ['fromaddr', 'toaddr'] },
} as const

/**
 * Throws 404 for a wallet that may not read a file: all who may read its message do, and before it is sent its uploader alone. The
 * owner and the moderators of a chat read one that waits for them.
 */
export async function requireReading(ctx: Context, caller: Wallet, file: FileRow): Promise<void> {
  const { address: wallet } = caller
  // An address has no space.
  const [fromaddr, toaddr] = file.place.split(' ')
  if (toaddr === undefined) requireScope(ofChat, caller, { params: {}, body: { nftaddr: file.place } })
  else requireScope(ofConversation, caller, { params: {}, body: { fromaddr, toaddr } })
  if (file.item_id === null) {
    if (file.walletaddr !== wallet) throw noSuchFile()
    return
  }
  const refusal = await requirePlace(ctx, wallet, file.item_id).then(
    () => undefined,
    (error: unknown) => error,
  )
  if (refusal === undefined) return
  if (!(refusal instanceof ApiError) || refusal.code !== 'not_found') throw refusal
  if (!(await mayReview(ctx, wallet, file))) throw noSuchFile()
}

async function mayReview({ db, gate }: Context, wallet: string, { id, item_id }: FileRow): Promise<boolean> {
  const chat = await findHeldIn(db, bucketOfFile(id), item_id!)
  if (chat === undefined || !(await getRole(db, chat, wallet))) return false
  await gate.require(chat, wallet)
  return true
}

/** It is the same for a file that the caller may not read, and for none. */
export const noSuchFile = () => new ApiError('not_found', 'There is no such file that you may read.')

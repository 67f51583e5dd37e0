// How a post comes into a chat, whoever posts it: who may, what holds for it, and that it is stored.

import type { GroupChatItem, NewGroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { requireNoBan, requireNoMute, requireOpenChat } from '../auth/standing.ts'
import type { Limits } from '../limits/limits.ts'
import { findJoinedChats, requireChat } from './chat-access.ts'
import type { ChatRules } from './chat-rules.ts'
import { storePost } from './group-message.ts'
import type { RequestKey } from './stored.ts'

type Tools = Parameters<typeof storePost>[0] & { chatRules: ChatRules }

interface Asked extends Omit<Parameters<typeof storePost>[1], 'body'> {
  body: NewGroupChatItem
}

/**
 * Stores a post where its author may post now, once for each key. 403 for a closed gate, a ban, a mute or a closed chat, 404 for
 * no chat.
 */
export async function postInChat(
  tools: Tools,
  { body: { fromaddr, nftaddr, message }, ...asked }: Asked,
): Promise<{ item: GroupChatItem; repeated: boolean }> {
  const chat = await requireChat(tools, nftaddr, fromaddr)
  requireOpenChat(tools.standing, chat.chat)
  const rule = await tools.chatRules.ruleFor(chat.chat, fromaddr, message)
  const stored = await storePost(tools, { ...asked, body: { ...chat, fromaddr, message } }, rule)
  return rule?.held ? { ...stored, item: { ...stored.item, held: true } } : stored
}

/**
 * Posts what a wallet wants posted without a request of it. What holds for a request holds here: sanctions, the room on the disk,
 * limits and quotas of the wallet; and it must still be in the chat.
 */
export async function postByItself(
  tools: Tools & { limits: Limits; disk: { isShort: boolean } },
  post: NewGroupChatItem,
  key: RequestKey,
): Promise<void> {
  const { fromaddr, nftaddr, message } = post
  requireNoBan(tools.standing, fromaddr)
  requireNoMute(tools.standing, fromaddr)
  if (tools.disk.isShort) throw new ApiError('unavailable', 'The disk of this service has no room left.')
  if (!(await findJoinedChats(tools.db, fromaddr)).includes(nftaddr.toLowerCase()))
    throw new ApiError('forbidden', 'This wallet has left the chat.')
  tools.limits.takeFor('write', fromaddr)
  await tools.quotas.chargeBytes(fromaddr, Buffer.byteLength(message), async () => {
    const { repeated } = await postInChat(tools, { body: post, key, http: { request: { who: null } } })
    return !repeated
  })
}

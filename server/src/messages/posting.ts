// How a post comes into a chat, whoever posts it and whenever it becomes visible: who may, what holds for it, and that it is
// stored.

import type { GroupChatItem, NewGroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { requireNoBan, requireNoMute, requireOpenChat } from '../auth/standing.ts'
import type { Limits } from '../limits/limits.ts'
import { findJoinedChats, requireChat } from './chat-access.ts'
import type { Chat } from './chat-key.ts'
import type { ChatRules, PostRule } from './chat-rules.ts'
import { storePost } from './group-message.ts'
import type { RequestKey } from './stored.ts'

type Tools = Parameters<typeof storePost>[0] & { chatRules: ChatRules }

interface Asked extends Omit<Parameters<typeof storePost>[1], 'body'> {
  body: NewGroupChatItem
}

/**
 * Throws where a wallet may not post in a chat now: 403 for a closed gate, a ban, a mute or a closed chat, 404 for no chat.
 * Whatever comes into a chat asks it at the moment when it becomes visible.
 */
export async function requirePosting(
  tools: Pick<Tools, 'db' | 'gate' | 'standing' | 'chatRules'>,
  { fromaddr, nftaddr, message }: NewGroupChatItem,
): Promise<{ chat: Chat; rule: PostRule | undefined }> {
  requireNoBan(tools.standing, fromaddr)
  requireNoMute(tools.standing, fromaddr)
  const chat = await requireChat(tools, nftaddr, fromaddr)
  requireOpenChat(tools.standing, chat.chat)
  return { chat, rule: await tools.chatRules.ruleFor(chat.chat, fromaddr, message) }
}

/** Stores a post where its author may post now, once for each key. */
export async function postInChat(
  tools: Tools,
  { body, ...asked }: Asked,
): Promise<{ item: GroupChatItem; repeated: boolean }> {
  const { fromaddr, message } = body
  const { chat, rule } = await requirePosting(tools, body)
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
  if (tools.disk.isShort) throw new ApiError('unavailable', 'The disk of this service has no room left.')
  if (!(await findJoinedChats(tools.db, fromaddr)).includes(nftaddr.toLowerCase()))
    throw new ApiError('forbidden', 'This wallet has left the chat.')
  tools.limits.takeFor('write', fromaddr)
  await tools.quotas.chargeBytes(fromaddr, Buffer.byteLength(message), async () => {
    const { repeated } = await postInChat(tools, { body: post, key, http: { request: { who: null } } })
    return !repeated
  })
}

// The one way in which a message is posted in a chat.

import type { GroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import { requireOpenChat } from '../auth/standing.ts'
import type { ChatRules } from './chat-rules.ts'
import { requireChat } from './chat-access.ts'
import { storePost } from './group-message.ts'

type Tools = Parameters<typeof storePost>[0] & { chatRules: ChatRules }
type Stored = Parameters<typeof storePost>[1]

interface Asked extends Omit<Stored, 'body'> {
  body: { fromaddr: string; nftaddr: string; message: string }
}

/** Stores a post where its author may post now: 403 for a closed gate, a ban, a mute or a closed chat, 404 for no chat. */
export async function postInChat(
  ctx: Tools,
  { body: { fromaddr, nftaddr, message }, key, http }: Asked,
): Promise<{ item: GroupChatItem; repeated: boolean }> {
  const chat = await requireChat(ctx, nftaddr, fromaddr)
  requireOpenChat(ctx.standing, chat.chat)
  const rule = await ctx.chatRules.ruleFor(chat.chat, fromaddr, message)
  const stored = await storePost(ctx, { key, http, body: { ...chat, fromaddr, message } }, rule)
  return rule?.held ? { ...stored, item: { ...stored.item, held: true } } : stored
}

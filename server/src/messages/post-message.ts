// Brings every post into a chat, by any author and at any time: checks the permission and the rules, and stores the post.

import type { GroupChatItem, NewGroupChatItem } from '@parley/sdk/contract/group-chats.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { unseenProblem } from '@parley/sdk/unseen.ts'
import { type Publishing, requirePublishing } from '../auth/publishing.ts'
import { requireOpenChat, type Standing } from '../auth/standing.ts'
import type { Limits } from '../limits/limits.ts'
import { findJoinedChats, requireChat } from './chat-access.ts'
import type { Chat } from './chat-key.ts'
import { type ChatRules, getRole, type PostRule } from './chat-rules.ts'
import { storePost } from './group-message.ts'
import type { RequestKey } from './message-types.ts'

type Tools = Parameters<typeof storePost>[0] & { chatRules: ChatRules; standing: Standing }

interface PostRequest extends Omit<Parameters<typeof storePost>[1], 'body' | 'publishing'> {
  body: NewGroupChatItem
}

/**
 * Throws where a wallet may not post in a chat now: 403 for a closed gate, a ban, a mute, a closed chat, or a room of news where it
 * is no moderator, 404 for no chat. Every post is checked at the moment when it becomes visible.
 */
export async function requirePosting(
  tools: Parameters<typeof requireTakingPart>[0],
  post: NewGroupChatItem,
): ReturnType<typeof requireTakingPart> {
  const allowed = await requireTakingPart(tools, post)
  if (allowed.chat.isNews && (await getRole(tools.db, allowed.chat.chat, post.fromaddr)) === undefined)
    throw new ApiError(
      'forbidden',
      'This is a room of news: its owner and its moderators post, and you can read and react.',
    )
  return allowed
}

/** Does the same for a reaction, which everybody may add where they may write or only read news. */
export async function requireTakingPart(
  tools: Pick<Tools, 'db' | 'gate' | 'standing' | 'chatRules'>,
  { fromaddr, nftaddr, message }: NewGroupChatItem,
): Promise<{ chat: Chat; rule: PostRule | undefined; publishing: Publishing }> {
  const publishing = requirePublishing(tools.standing, fromaddr)
  const chat = await requireChat(tools, nftaddr, fromaddr)
  requireOpenChat(tools.standing, chat.chat)
  if (chat.isArchived)
    throw new ApiError('forbidden', 'This room is archived: you can read it, and nobody can post in it.')
  return { chat, rule: await tools.chatRules.ruleFor(chat.chat, fromaddr, message), publishing }
}

/** Stores a post where its author may post now, once for each key. */
export async function postInChat(
  tools: Tools,
  { body, ...request }: PostRequest,
): Promise<{ item: GroupChatItem; repeated: boolean }> {
  const { fromaddr, message, reply_to, files } = body
  const { chat, rule, publishing } = await requirePosting(tools, body)
  const stored = await storePost(
    tools,
    { ...request, publishing, body: { ...chat, fromaddr, message, reply_to, files } },
    rule,
  )
  return rule?.held ? { ...stored, item: { ...stored.item, held: true } } : stored
}

/**
 * Posts for a wallet without its request. The rules of a request by a program hold here too: sanctions, the room on the disk,
 * limits and quotas of the wallet, no invisible characters; and the wallet must still be in the chat.
 */
export async function postByItself(
  tools: Tools & { limits: Limits; disk: { isShort: boolean } },
  post: NewGroupChatItem,
  key: RequestKey,
): Promise<void> {
  const { fromaddr, nftaddr, message } = post
  const invisible = unseenProblem(message)
  if (invisible)
    throw new ApiError('bad_request', `A program must post no invisible characters; ${invisible}`)
  if (tools.disk.isShort) throw new ApiError('unavailable', 'The disk of this service has no room left.')
  if (!(await findJoinedChats(tools.db, fromaddr)).includes(nftaddr.toLowerCase()))
    throw new ApiError('forbidden', 'This wallet has left the chat.')
  tools.limits.takeFor('write', fromaddr)
  await tools.quotas.chargeBytes(fromaddr, Buffer.byteLength(message), async () => {
    const { repeated } = await postInChat(tools, { body: post, key, http: { request: { who: null } } })
    return !repeated
  })
}

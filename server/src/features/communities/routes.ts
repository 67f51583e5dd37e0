import type { communities, CommunityInfo, Tweet } from '@parley/sdk/contract/communities.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { enterChat, requireChat } from '../../messages/chat-access.ts'
import { chatKey, isNftKey } from '../../messages/chat-key.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import * as store from './store.ts'
import { findXUsername, readTweets, refreshTweets } from './tweets.ts'

// Spec gap: names that could be mistaken for a kind of chat or for the service itself.
const reserved = new Set([
  'nft',
  'community',
  'dm',
  'all',
  'admin',
  'administrator',
  'root',
  'system',
  'support',
  'moderator',
  'official',
])

export const handlers: Handlers<typeof communities> = {
  async createCommunity({ db }, { caller, body }) {
    requireUsableName(body.community)
    const community = await store.upsertCommunity(db, caller.address, body)
    if (!community)
      throw new ApiError('conflict', 'Another wallet has created this community. Choose another name.')
    return [community]
  },

  async getCommunity(ctx, { params: { community, address } }) {
    const chat = await requireChat(ctx, community, address)
    if (chat.context_type !== 'community')
      throw new ApiError('not_found', 'This is no community. POST /v1/create_community creates one.')
    const last = await enterChat(ctx, address, chat)
    const info = await store.getCommunityInfo(ctx.db, chat.chat, last, address)
    return [{ ...info, tweets: await postsOf(ctx, chat.chat, info) }]
  },
}

/** The stored posts of a community's X account. Newer ones are fetched in the background, for the next visit. */
async function postsOf(
  ctx: Context,
  chat: string,
  { social }: Pick<CommunityInfo, 'social'>,
): Promise<Tweet[]> {
  const account = ctx.config.xBearerToken && findXUsername(social)
  if (!account) return []
  void refreshTweets(ctx, chat, account)
  return readTweets(ctx.db, chat)
}

function requireUsableName(community: string): void {
  const detail = isNftKey(community)
    ? 'must not be shaped like an address: that would be the chat of an NFT'
    : reserved.has(chatKey(community))
      ? 'is reserved; choose another name'
      : undefined
  if (detail) throw badRequest([{ pointer: '/body/community', detail }])
}

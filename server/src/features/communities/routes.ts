import type { communities, CommunityInfo, Tweet } from '@parley/sdk/contract/communities.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { enterChat, requireChat } from '../../messages/chat-access.ts'
import { requireNoTakedown } from '../../auth/standing.ts'
import { chatKey, isNftKey } from '../../messages/chat-key.ts'
import { dayRefusal } from '../../limits/quotas.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { parseSlug } from '../../values/display-name.ts'
import { findCommunities } from './directory.ts'
import * as store from './store.ts'
import { findXUsername, readTweets, refreshTweets } from './tweets.ts'

export const handlers: Handlers<typeof communities> = {
  async createCommunity({ db, config, quotas, standing }, { caller, body, http }) {
    requireNoTakedown(standing, chatKey(body.community))
    const { rateLimits, communitiesADay, communitiesInAll } = config
    // What was created once stays its creator's, whatever has become of the rule for names.
    const changed = await store.updateCommunity(db, caller.address, body)
    if (changed) return [changed]
    const bounds = {
      skeletons: requireSkeletons(body.community),
      aDay: rateLimits ? communitiesADay : undefined,
      inAll: communitiesInAll,
    }
    const stored = await quotas.chargeCommunity(
      http.request.who,
      () => store.insertCommunity(db, caller.address, body, bounds),
      ({ refused }) => refused === null,
    )
    if (stored.refused === null) return [{ community: stored.community, social: stored.social }]
    throw {
      taken: () =>
        new ApiError('conflict', 'Another wallet has created this community. Choose another name.'),
      'a-day': () =>
        dayRefusal(
          'quota-communities',
          `create ${communitiesADay} communities a day, and has created them`,
          db.now(),
        ),
      'in-all': () =>
        new ApiError(
          'payload_too_large',
          `Your wallet may create ${communitiesInAll} communities in all, and has created them.`,
        ),
    }[stored.refused]()
  },

  async listCommunities({ db, standing }, { caller, query }) {
    return findCommunities(db, caller.address, query, standing.subjectsOf('takedown'))
  },

  async getCommunity(ctx, { params: { community, address }, query: { enter }, http }) {
    const chat = await requireChat(ctx, community, address)
    if (chat.context_type !== 'community')
      throw new ApiError('not_found', 'This is no community. POST /v1/create_community creates one.')
    const last = enter === false ? Number.MAX_SAFE_INTEGER : await enterChat(ctx, address, chat)
    // A hundred previews are made into JSON: a long read, which takes its turn.
    const { long } = ctx.limits.shareOf(http.request, http.reply)
    const info = await store.getCommunityInfo(long, chat.chat, last, address)
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

function requireSkeletons(community: string): string[] {
  const slug = isNftKey(community)
    ? { problem: 'must not be shaped like an address: that would be the chat of an NFT' }
    : parseSlug(community)
  if ('problem' in slug) throw badRequest([{ pointer: '/body/community', detail: slug.problem }])
  return slug.skeletons
}

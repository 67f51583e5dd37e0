import type { communities, CommunityInfo, Tweet } from '@parley/sdk/contract/communities.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { enterChat, requireChat } from '../../messages/chat-access.ts'
import { requireNoClaim } from '../../auth/claims.ts'
import { requireNoTakedown } from '../../auth/standing.ts'
import { chatKey, isNftKey, isRoom } from '../../messages/chat-key.ts'
import { findUnseen } from '../../messages/unseen.ts'
import { dayRefusal } from '../../limits/quotas.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { parseSlug } from '../../values/display-name.ts'
import { toldOf } from './about.ts'
import * as store from './store.ts'
import { findXUsername, readTweets, refreshTweets } from './tweets.ts'

export const handlers: Handlers<typeof communities> = {
  async createCommunity(
    { db, config, quotas, standing, officials },
    { caller, body, publishing, full, http },
  ) {
    requireNoTakedown(standing, chatKey(body.community))
    const { rateLimits, communitiesADay, communitiesInAll } = config
    // A community stays its creator's, even when the rule for names has changed since.
    const changed = await store.updateCommunity(db, publishing, caller.address, body)
    if (changed) return [changed]
    if (!officials.get(caller.address)) requireNoClaim({ config, officials }, body.community, 'community')
    const bounds = {
      skeletons: requireSkeletons(body.community),
      aDay: rateLimits ? communitiesADay : undefined,
      inAll: communitiesInAll,
    }
    const stored = await quotas.chargeCommunity(
      http.request.who,
      () => store.insertCommunity(db, publishing, caller.address, body, bounds),
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
      'in-all': () => full(communitiesInAll, 'Another wallet may create it.'),
    }[stored.refused]()
  },

  async getCommunity(ctx, { params: { community, address }, query: { enter }, http }) {
    const chat = await requireChat(ctx, community, address)
    if (chat.context_type !== 'community' || isRoom(chat.chat))
      throw new ApiError('not_found', 'This is no community. POST /v1/create_community creates one.')
    const last =
      enter === false ? Number.MAX_SAFE_INTEGER : await enterChat(ctx, address, chat, http.request.who)
    // A hundred previews are made into JSON: this is a long read, which waits for its turn.
    const { long } = ctx.limits.shareOf(http.request, http.reply)
    const { info, said, owner } = await store.getCommunityInfo(long, chat.chat, last, address)
    const own = await findUnseen(ctx, address, 'social', chat.chat)
    if (own) info.social = own.social.map(({ type, name }) => ({ type, username: name }))
    const shown = (await findUnseen(ctx, address, 'about', chat.chat)) ?? said
    const official = owner === null ? undefined : ctx.officials.get(owner)
    return [
      {
        ...info,
        ...toldOf(shown),
        ...(!shown.listed && { unlisted: true as const }),
        ...(official && { official: official.label }),
        tweets: await postsOf(ctx, chat.chat, info),
      },
    ]
  },
}

/** Returns the stored posts of a community's X account. Newer ones are fetched in the background, for the next visit. */
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

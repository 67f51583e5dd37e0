import { type directory, mostNeeds } from '@parley/sdk/contract/directory.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { requireNoClaim, requireNoClaimInText } from '../../auth/claims.ts'
import { isShadowMuted, requireNoTakedown } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import { inPortions } from '../../db/portions.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { getRole } from '../../messages/chat-rules.ts'
import { isKeptIn } from '../../messages/public-chats.ts'
import { findAllUnseen, findUnseenCommunities } from '../../messages/unseen.ts'
import { requireTags, setAbout, toldOf } from './about.ts'
import { findCommunities, type Found, listOf } from './directory.ts'

export const directoryHandlers: Handlers<typeof directory> = {
  async listCommunities(ctx, { caller: { address }, query }) {
    const list = listOf(query)
    const hidden = [...ctx.standing.subjectsOf('takedown'), ...(await findUnseenCommunities(ctx, address))]
    const own = isShadowMuted(ctx.standing, address)
      ? await findAllUnseen(ctx.db, address, 'about')
      : undefined
    return inPortions(ctx.db, query, {
      most: 50,
      read: async (on, page) => {
        const found = await findCommunities(on, address, list, page, hidden)
        return found.map((one) => asSeen(ctx, address, own?.get(chatKey(one.community)), one))
      },
      after: ({ community }) => ({ after: community }),
    })
  },

  async setCommunityAbout(ctx, { caller: { address }, params: { community }, body, publishing }) {
    const chat = chatKey(community)
    requireNoTakedown(ctx.standing, chat)
    if ((await getRole(ctx.db, chat, address)) !== 'owner')
      throw new ApiError('forbidden', 'Only the owner of a community may say what it is about.')
    const about = {
      ...body,
      about: body.about.trim().replaceAll(/\s*\n\s*\n\s*/g, '\n\n'),
      tags: requireTags(body.tags),
    }
    if (!ctx.officials.get(address)) {
      for (const tag of about.tags) requireNoClaim(ctx, tag, 'community')
      requireNoClaimInText(ctx, about.about)
    }
    if (!(await setAbout(ctx.db, publishing, { chat, owner: address, about })))
      throw new ApiError('not_found', 'This is no community. POST /v1/create_community creates one.')
    return about
  },
}

/**
 * Shows the sign of the team, what it takes to get in, and to a wallet that is muted unseen what it has changed. The time of the
 * last message is hidden from a wallet that may not read the chat.
 */
function asSeen(
  ctx: Context,
  wallet: string,
  own: { about: string; tags: string[] } | undefined,
  { owner, is_public, ...entry }: Found,
) {
  const chat = chatKey(entry.community)
  const official = owner === null ? undefined : ctx.officials.get(owner)
  const { about, tags, timestamp, ...rest } = entry
  const { read_words: to_read, post_words: to_post } = ctx.gate.wordsOf(chat)
  return {
    ...rest,
    timestamp: ctx.gate.mayRead(chat, wallet) ? timestamp : '',
    ...toldOf(own ?? { about: about ?? '', tags: tags ?? [] }),
    ...(official && { official: official.label }),
    ...(to_read && { to_read: cut(to_read) }),
    ...(to_post && to_post !== to_read && { to_post: cut(to_post) }),
    ...(is_public && !isKeptIn(ctx, chat) && { is_public }),
  }
}

const cut = (words: string): string =>
  words.length > mostNeeds ? `${words.slice(0, mostNeeds - 2)} …` : words

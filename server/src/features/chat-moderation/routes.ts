import type { chatModeration } from '@parley/sdk/contract/chat-moderation.ts'
import { mostModerators, mostRestricted } from '@parley/sdk/contract/chat-moderation-models.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { requirePublishing } from '../../auth/publishing.ts'
import { isShadowMuted } from '../../auth/standing.ts'
import { hasChains } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { inPortions } from '../../db/portions.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { requireChat } from '../../messages/chat-access.ts'
import { chatKey, communityOf, isRoom } from '../../messages/chat-key.ts'
import { isClaimedBy } from '../../messages/imported-claims.ts'
import { requirePosting } from '../../messages/post-message.ts'
import { tooFast } from '../../messages/refusals.ts'
import { getRole, type Role } from '../../messages/chat-rules.ts'
import { requireRole } from '../../messages/require-role.ts'
import { isEvmAddress } from '../../values/formats.ts'
import { requireContractOwner } from './claiming.ts'
import { findLog, findOwnReasons } from './log.ts'
import * as posts from './posts.ts'
import * as roles from './roles.ts'
import * as store from './store.ts'

/** Returns the role in which a wallet may remove a message. */
async function roleFor(db: Db, chat: string, { fromaddr }: posts.Post, wallet: string) {
  if (fromaddr === wallet || (await isClaimedBy(db, fromaddr, wallet))) return 'author' as const
  return (await getRole(db, chat, wallet)) && ('moderator' as const)
}

// The error is the same for all, so that it does not say which messages a chat has that is not open to all.
const notFound = () => new ApiError('not_found', 'There is no such message here that you may decide about.')

/** Approves a post that waits, where its author may post now. A post of a wallet that is muted unseen stays unseen. */
async function approvePost(ctx: Context, decision: Parameters<typeof posts.approve>[1]) {
  const held = await posts.getHeld(ctx.db, decision.chat, decision.id)
  if (!held) return 'none'
  const { publishing } = await requirePosting(ctx, held).catch((refusal: unknown) => {
    const isRefused = refusal instanceof ApiError && refusal.status === 403
    throw isRefused ? mayNotPost(refusal) : refusal
  })
  return posts.approve(ctx.db, decision, publishing)
}

// The reason stays between the author and the one who has decided it.
const mayNotPost = (cause: unknown) =>
  new ApiError(
    'conflict',
    'The author of this post may not post in this chat now, so it cannot be shown. Reject it with {"approve":false}, or approve it when its author may post again.',
    { cause },
  )

export const handlers: Handlers<typeof chatModeration> = {
  async removePost(
    { db, events, standing },
    { caller: { address: wallet }, params: { nftaddr, id }, query: { reason } },
  ) {
    const holds = standing.subjectsOf('hold')
    const request = { chat: chatKey(nftaddr), id: Number(id), wallet }
    const post = await posts.findPost(db, request.chat, request.id)
    if (post) {
      const by = await roleFor(db, request.chat, post, wallet)
      if (!by) throw notFound()
      // A wallet that is muted takes back what it has posted, and decides about nobody else's.
      const why =
        by === 'moderator'
          ? { reason: reason ?? '', publishing: requirePublishing(standing, wallet) }
          : undefined
      if (await posts.remove(db, holds, { ...request, ...post, by, why })) events.poke()
      return
    }
    if ((await posts.removeWithheld(db, holds, { ...request, by: 'author' })) === undefined) throw notFound()
    events.poke()
  },

  async listModerators(ctx, { caller, params: { nftaddr } }) {
    const { chat } = await requireChat(ctx, nftaddr, caller.address)
    return roles.findModerators(ctx.db, communityOf(chat))
  },

  async addModerator(ctx, { caller, params: { nftaddr, walletaddr }, full }) {
    const { community: chat } = await requireRole(ctx, nftaddr, caller.address, 'owner')
    if (!(await roles.addModerator(ctx.db, chat, caller.address, walletaddr)))
      throw full(mostModerators, 'End the role of one first.')
    return roles.findModerators(ctx.db, chat)
  },

  async removeModerator(ctx, { caller, params: { nftaddr, walletaddr } }) {
    const allowed: Role[] = walletaddr === caller.address ? ['owner', 'moderator'] : ['owner']
    const { community: chat, role } = await requireRole(ctx, nftaddr, caller.address, ...allowed)
    if (walletaddr === caller.address && role === 'owner')
      throw new ApiError('conflict', 'You own this chat: hand it over first.')
    await roles.removeModerator(ctx.db, chat, caller.address, walletaddr)
    return roles.findModerators(ctx.db, chat)
  },

  async handOverChat(ctx, { caller, params: { nftaddr }, body: { walletaddr } }) {
    const { community: chat } = await requireRole(ctx, nftaddr, caller.address, 'owner')
    if (!(await roles.setOwner(ctx.db, chat, walletaddr, caller.address)))
      throw new ApiError('conflict', `${walletaddr} is no moderator of this chat: make it one first.`)
    return roles.findModerators(ctx.db, chat)
  },

  async claimChat(ctx, { caller, params: { nftaddr } }) {
    const chat = chatKey(nftaddr)
    if (!isEvmAddress(chat))
      throw badRequest([
        {
          pointer: '/path/nftaddr',
          detail: 'must be an NFT contract: 0x and 40 hexadecimal digits. A community has an owner',
        },
      ])
    if (!hasChains(ctx.config))
      throw new ApiError(
        'unavailable',
        'This service is connected to no chain, so nobody can show that a contract is theirs. An administrator can set RPC_URLS.',
      )
    ctx.gate.spend(caller.address)
    await requireContractOwner(ctx, chat, caller.address)
    await roles.setOwner(ctx.db, chat, caller.address)
    return roles.findModerators(ctx.db, chat)
  },

  async restrictMember(ctx, { caller, params: { nftaddr, walletaddr }, body, publishing, full }) {
    const { community: chat } = await requireRole(ctx, nftaddr, caller.address, 'owner', 'moderator')
    if ((await getRole(ctx.db, chat, walletaddr)) !== undefined)
      throw new ApiError(
        'conflict',
        `${walletaddr} moderates this chat. Remove them from the moderators first.`,
      )
    const { reason = '', ...end } = body
    const why = { reason, publishing }
    const restriction = await store.restrict(ctx.db, chat, caller.address, walletaddr, end, why)
    if (!restriction) throw full(mostRestricted, 'Lift the mute or the ban of one first.')
    await ctx.chatRules.refresh()
    return restriction
  },

  async listRestricted(ctx, { caller, params: { nftaddr } }) {
    const { community: chat } = await requireRole(ctx, nftaddr, caller.address, 'owner', 'moderator')
    const isUnseen = isShadowMuted(ctx.standing, caller.address)
    const own = isUnseen ? await findOwnReasons(ctx.db, chat, caller.address) : undefined
    return inPortions(
      ctx.db,
      {},
      {
        async read(on, page: { limit?: number; after?: string }) {
          const restricted = await store.findRestricted(on, chat, page)
          for (const one of restricted) one.reason ||= own?.get(one.walletaddr) ?? ''
          return restricted
        },
        after: ({ walletaddr }) => ({ after: walletaddr }),
      },
    )
  },

  async getChatRules(ctx, { caller, params: { nftaddr } }) {
    const { chat } = await requireChat(ctx, nftaddr, caller.address)
    const [rules, role] = await Promise.all([
      store.getRules(ctx.db, chat),
      getRole(ctx.db, chat, caller.address),
    ])
    return role ? rules : { ...rules, words: [] }
  },

  async setChatRules(ctx, { caller, params: { nftaddr }, body }) {
    const { chat } = await requireRole(ctx, nftaddr, caller.address, 'owner')
    const { retentionDays } = ctx.config
    if (isRoom(chat)) {
      await requireChat(ctx, nftaddr, caller.address)
      if (body.retention_days !== undefined)
        throw badRequest([
          {
            pointer: '/body/retention_days',
            detail: `must be left out: a room keeps its messages as long as its community does (PUT /v1/chats/${encodeURIComponent(communityOf(chat))}/rules)`,
          },
        ])
    }
    if (retentionDays > 0 && (body.retention_days ?? 0) > retentionDays)
      throw badRequest([
        {
          pointer: '/body/retention_days',
          detail: `must be at most ${retentionDays}: this service keeps no message longer`,
        },
      ])
    const rules = await store.setRules(ctx.db, chat, caller.address, body)
    await ctx.chatRules.refresh()
    return rules
  },

  async listHeldPosts(ctx, { caller, params: { nftaddr }, query }) {
    const { chat } = await requireRole(ctx, nftaddr, caller.address, 'owner', 'moderator')
    return posts.findHeld(ctx.db, chat, query)
  },

  async decideHeldPost(ctx, { caller, params: { nftaddr, id }, body: { approve, reason }, publishing }) {
    const { chat } = await requireRole(ctx, nftaddr, caller.address, 'owner', 'moderator')
    const decision = {
      chat,
      id: Number(id),
      actor: caller.address,
      why: { reason: reason ?? '', publishing },
    }
    const decided = approve
      ? await approvePost(ctx, decision)
      : await posts.reject(ctx.db, ctx.standing.subjectsOf('hold'), decision)
    if (decided === 'too-fast') throw tooFast('chat')
    if (decided === 'none') throw notFound()
    ctx.events.poke()
  },

  async listChatLog(ctx, { caller, params: { nftaddr }, query }) {
    const { community: chat } = await requireRole(ctx, nftaddr, caller.address, 'owner', 'moderator')
    const isUnseen = (actor: string) => actor !== caller.address && isShadowMuted(ctx.standing, actor)
    return inPortions(ctx.db, query, {
      most: 100,
      read: (on, page) => findLog(on, chat, page, isUnseen),
      after: ({ id }) => ({ before: id }),
    })
  },
}

import type { chatModeration } from '@parley/sdk/contract/chat-moderation.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { isShadowMuted, requireNoTakedown } from '../../auth/standing.ts'
import { hasChains } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { requireChat } from '../../messages/chat-access.ts'
import { chatKey } from '../../messages/chat-key.ts'
import { requirePosting } from '../../messages/posting.ts'
import { tooFast } from '../../messages/refusals.ts'
import { getRole, type Role } from '../../messages/chat-rules.ts'
import { isEvmAddress } from '../../values/formats.ts'
import { requireContractOwner } from './claiming.ts'
import { findLog } from './log.ts'
import * as posts from './posts.ts'
import * as roles from './roles.ts'
import * as store from './store.ts'

/** The key of a chat in which a wallet has a role. */
async function requireRole({ db, standing }: Context, nftaddr: string, wallet: string, ...allowed: Role[]) {
  const chat = chatKey(nftaddr)
  requireNoTakedown(standing, chat)
  const role = await getRole(db, chat, wallet)
  if (role !== undefined && allowed.includes(role)) return { chat, role }
  const who = allowed.includes('moderator') ? 'its owner and its moderators' : 'its owner'
  throw new ApiError(
    'forbidden',
    `Only ${who} may do this in a chat: GET /v1/chats/${encodeURIComponent(nftaddr)}/moderators lists them.`,
  )
}

/** As what a wallet may remove a message. */
async function roleFor(db: Db, chat: string, { fromaddr }: posts.Post, wallet: string) {
  if (fromaddr === wallet) return 'author' as const
  return (await getRole(db, chat, wallet)) && ('moderator' as const)
}

// The same for all, so that it does not say which messages a chat has that is not open to all.
const notFound = () => new ApiError('not_found', 'There is no such message here that you may decide about.')

/** Approves a post that waits, where its author may post now. That of a wallet that is muted unseen goes on being unseen. */
async function approvePost(ctx: Context, decision: Parameters<typeof posts.approve>[1]) {
  const held = await posts.getHeld(ctx.db, decision.chat, decision.id)
  if (!held) return 'none'
  await requirePosting(ctx, held).catch((refusal: unknown) => {
    const isRefused = refusal instanceof ApiError && refusal.status === 403
    throw isRefused ? mayNotPost(refusal) : refusal
  })
  const withheld = isShadowMuted(ctx.standing, held.fromaddr)
  return posts.approve(ctx.db, decision, { withheld })
}

// Why is between the author and who has decided it.
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
    const asked = { chat: chatKey(nftaddr), id: Number(id), wallet }
    const post = await posts.findPost(db, asked.chat, asked.id)
    if (post) {
      const by = await roleFor(db, asked.chat, post, wallet)
      if (!by) throw notFound()
      if (await posts.remove(db, holds, { ...asked, ...post, by, reason })) events.poke()
      return
    }
    if ((await posts.removeWithheld(db, holds, { ...asked, by: 'author' })) === undefined) throw notFound()
    events.poke()
  },

  async listModerators(ctx, { caller, params: { nftaddr } }) {
    const { chat } = await requireChat(ctx, nftaddr, caller.address)
    return roles.findModerators(ctx.db, chat)
  },

  async addModerator(ctx, { caller, params: { nftaddr, walletaddr } }) {
    const { chat } = await requireRole(ctx, nftaddr, caller.address, 'owner')
    if (!(await roles.addModerator(ctx.db, chat, caller.address, walletaddr)))
      throw new ApiError('conflict', 'A chat has at most 50 moderators. End the role of one first.')
    return roles.findModerators(ctx.db, chat)
  },

  async removeModerator(ctx, { caller, params: { nftaddr, walletaddr } }) {
    const allowed: Role[] = walletaddr === caller.address ? ['owner', 'moderator'] : ['owner']
    const { chat, role } = await requireRole(ctx, nftaddr, caller.address, ...allowed)
    if (walletaddr === caller.address && role === 'owner')
      throw new ApiError('conflict', 'You own this chat: hand it over first.')
    await roles.removeModerator(ctx.db, chat, caller.address, walletaddr)
    return roles.findModerators(ctx.db, chat)
  },

  async handOverChat(ctx, { caller, params: { nftaddr }, body: { walletaddr } }) {
    const { chat } = await requireRole(ctx, nftaddr, caller.address, 'owner')
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
        'This service is connected to no chain, so nobody can show that a contract is theirs. Whoever runs it can set RPC_URLS.',
      )
    ctx.gate.spend(caller.address)
    await requireContractOwner(ctx, chat, caller.address)
    await roles.setOwner(ctx.db, chat, caller.address)
    return roles.findModerators(ctx.db, chat)
  },

  async restrictMember(ctx, { caller, params: { nftaddr, walletaddr }, body }) {
    const { chat } = await requireRole(ctx, nftaddr, caller.address, 'owner', 'moderator')
    if ((await getRole(ctx.db, chat, walletaddr)) !== undefined)
      throw new ApiError('conflict', `${walletaddr} moderates this chat. End its role first.`)
    const restriction = await store.restrict(ctx.db, chat, caller.address, walletaddr, body)
    if (!restriction)
      throw new ApiError(
        'conflict',
        'As many wallets are muted or banned in this chat as may be: 1,000. Lift some.',
      )
    await ctx.chatRules.refresh()
    return restriction
  },

  async listRestricted(ctx, { caller, params: { nftaddr } }) {
    const { chat } = await requireRole(ctx, nftaddr, caller.address, 'owner', 'moderator')
    return store.findRestricted(ctx.db, chat)
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

  async decideHeldPost(ctx, { caller, params: { nftaddr, id }, body: { approve, reason } }) {
    const { chat } = await requireRole(ctx, nftaddr, caller.address, 'owner', 'moderator')
    const decision = { chat, id: Number(id), actor: caller.address, reason }
    const decided = approve
      ? await approvePost(ctx, decision)
      : await posts.reject(ctx.db, ctx.standing.subjectsOf('hold'), decision)
    if (decided === 'too-fast') throw tooFast('chat')
    if (decided === 'none') throw notFound()
    ctx.events.poke()
  },

  async listChatLog(ctx, { caller, params: { nftaddr }, query }) {
    const { chat } = await requireRole(ctx, nftaddr, caller.address, 'owner', 'moderator')
    return findLog(ctx.db, chat, query)
  },
}

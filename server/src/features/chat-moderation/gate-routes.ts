import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Gate } from '@parley/sdk/contract/gate-models.ts'
import type { gates } from '@parley/sdk/contract/gates.ts'
import { requireNoTakedown } from '../../auth/standing.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { requireExistingChat } from '../../messages/chat-access.ts'
import type { Rules } from '../../messages/chat-gates.ts'
import { getOpened } from '../../messages/public-chats.ts'
import { wholeWords, wordsFor } from '../../messages/rule-gate.ts'
import { findRoles } from '../../messages/rule-reading.ts'
import { checkGate } from './gate-check.ts'
import { standingOf, tryRules } from './gate-standing.ts'
import { setGate } from './gates.ts'
import { requireRole } from '../../messages/require-role.ts'

/** Returns the key of a chat that there is, of which the wallet is the owner. */
async function requireOwn(ctx: Context, nftaddr: string, wallet: string): Promise<string> {
  const { chat } = await requireRole(ctx, nftaddr, wallet, 'owner')
  await requireExistingChat(ctx.db, nftaddr)
  return chat
}

const tools = (ctx: Context, wallet: string) => ({
  config: ctx.config,
  now: ctx.db.now(),
  spend: () => ctx.gate.spend(wallet),
})

export const gateHandlers: Handlers<typeof gates> = {
  async getGate(ctx, { caller: { address }, params: { nftaddr } }): Promise<Gate> {
    const { chat } = await requireExistingChat(ctx.db, nftaddr)
    requireNoTakedown(ctx.standing, chat)
    const rules = ctx.chatGates.rulesOf(chat)
    return (await findRoles(ctx.db, chat)).has(address) ? wholeWords(rules) : wordsFor(rules, address)
  },

  async setGate(ctx, { caller: { address }, params: { nftaddr }, body, publishing }) {
    const chat = await requireOwn(ctx, nftaddr, address)
    const checked = await checkGate(tools(ctx, address), body)
    if (checked.read && (await getOpened(ctx.db, chat))) throw readByAnyone()
    const rules: Rules = publishing.isUnseen ? withoutNames(checked) : checked
    await setGate(ctx.db, chat, address, rules)
    await ctx.chatGates.refresh()
    return wholeWords(checked)
  },

  async removeGate(ctx, { caller: { address }, params: { nftaddr } }) {
    const chat = await requireOwn(ctx, nftaddr, address)
    await setGate(ctx.db, chat, address, {})
    await ctx.chatGates.refresh()
  },

  async tryGate(ctx, { caller: { address }, params: { nftaddr }, body }) {
    const chat = await requireOwn(ctx, nftaddr, address)
    return tryRules(ctx, chat, await checkGate(tools(ctx, address), body), address)
  },

  async getGateStanding(ctx, { caller: { address }, params: { nftaddr } }) {
    const chat = await requireExistingChat(ctx.db, nftaddr)
    requireNoTakedown(ctx.standing, chat.chat)
    return standingOf(ctx, chat, address)
  },
}

const readByAnyone = () =>
  new ApiError(
    'conflict',
    'Anyone reads this chat on its public page, so no rule can say who reads it. End its public page first.',
  )

/** The names of contracts are words that anybody can write, so a wallet that is muted unseen shows none: addresses stay. */
const withoutNames = (rules: Rules): Rules =>
  JSON.parse(
    JSON.stringify(rules, (key, value: unknown) => (key === 'symbol' || key === 'name' ? '' : value)),
  )

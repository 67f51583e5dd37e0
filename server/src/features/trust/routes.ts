import { type ChainFacts, mostTokensAsked, type trust } from '@parley/sdk/contract/trust.ts'
import { isClaim } from '../../auth/claims.ts'
import type { Context } from '../../context.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { mac } from '../../lib/mac.ts'
import { day } from '../../lib/times.ts'
import { findFirstContacts } from '../../limits/first-contacts.ts'
import { findJoinedChats } from '../../messages/chat-access.ts'
import { isNftKey } from '../../messages/chat-key.ts'
import { isEvmAddress } from '../../values/formats.ts'
import { findLookAlikes } from './look-alikes.ts'
import { isShadowMuted } from '../../auth/standing.ts'
import { askLater, findTeams, type Facts, findFacts, findKnown, wasErased } from './store.ts'

const shownChats = 3
/** With fewer contacts nothing is said: each of them would weigh too much. */
const fewestContacts = 10

export const handlers: Handlers<typeof trust> = {
  async getTrust(ctx, { caller, params: { peer }, http }) {
    const { db, config, bots } = ctx
    // All chats of both wallets are compared: this is a long read, which waits for its turn.
    const { long } = ctx.limits.shareOf(http.request, http.reply)
    const [known, contacts, erased, mine, theirs, isBot] = await Promise.all([
      findKnown(db, peer),
      // A wallet that wrote to others could find out by its own card what they do with its messages.
      peer === caller.address ? undefined : findFirstContacts(db, peer),
      wasErased(db, mac(config.jwtSecret, 'erasure', peer)),
      findJoinedChats(long, caller.address),
      findJoinedChats(long, peer),
      bots.isBot(peer),
    ])
    const joined = new Set(theirs)
    const shared = mine.filter((chat) => joined.has(chat)).toSorted()
    const { name, first_ms } = known
    const official = ctx.officials.get(peer)
    const [open, teams, looksLike, chain] = await Promise.all([
      openChats(ctx, caller.address, shared),
      shared.length > 0 ? findTeams(db, peer, shared) : [],
      findLookAlikes(db, caller.address, { address: peer, name }),
      findChainFacts(ctx, caller.address, peer, mine.filter(isEvmAddress).slice(0, mostTokensAsked)),
    ])
    return [
      {
        address: peer,
        name,
        ...(isBot && { is_bot: true as const }),
        ...(official && { official: official.label }),
        ...(!official && isClaim(ctx, name) && { claims_official: true as const }),
        teams: teams
          .filter(({ chat, named_by }) => open.includes(chat) && !isShadowMuted(ctx.standing, named_by))
          .slice(0, shownChats)
          .map(({ chat, label }) => ({ nftaddr: chat, label })),
        ...(first_ms !== null && { first_seen: new Date(first_ms).toISOString().slice(0, 7) }),
        ...(erased && first_ms === null && { erased: true as const }),
        shared_chats: {
          count: open.length,
          some: open
            .slice(0, shownChats)
            .map((nftaddr) => ({ nftaddr, context_type: isNftKey(nftaddr) ? 'nft' : 'community' })),
        },
        ...(contacts && contacts.asked >= fewestContacts && { first_contacts: bandOf(contacts) }),
        looks_like: looksLike,
        ...chain,
      },
    ]
  },
}

const bandOf = ({ asked, accepted }: { asked: number; accepted: number }) =>
  accepted * 3 > asked * 2 ? 'most' : accepted * 10 < asked ? 'hardly_any' : 'some'

async function openChats({ gate }: Context, wallet: string, chats: string[]): Promise<string[]> {
  const closed = new Set(await gate.closedTo(wallet, chats))
  return chats.filter((chat) => !closed.has(chat))
}

/** Returns what was read from the chains. What is missing or older than a day is queried in the background. */
async function findChainFacts({ db, config, gate }: Context, wallet: string, peer: string, tokens: string[]) {
  const chains = Object.keys(config.rpcUrls)
  if (chains.length === 0 || !isEvmAddress(peer)) return { chain: [], holds: [] }
  const about = [...chains, ...tokens]
  const rows = await findFacts(db, peer, about)
  const fresh = rows.filter(({ ms }) => ms > db.now() - day)
  const missing = about.filter((one) => !fresh.some((row) => row.about === one))
  const isQueued = missing.length > 0 && mayAsk(gate, wallet)
  if (isQueued) await askLater(db, wallet, peer, missing)
  const known = rows.map(({ about: subject, facts, ms }) => ({
    subject,
    facts,
    checked_at: new Date(ms).toISOString(),
  }))
  return {
    chain: known.flatMap(({ subject, facts, checked_at }) =>
      isOfChain(facts) ? [{ chain: subject, ...facts, checked_at }] : [],
    ),
    holds: known.flatMap(({ subject, facts, checked_at }) =>
      isOfChain(facts) ? [] : [{ nftaddr: subject, ...facts, checked_at }],
    ),
    ...(isQueued && { checking: true as const }),
  }
}

const isOfChain = (facts: Facts): facts is Omit<ChainFacts, 'chain' | 'checked_at'> => 'is_contract' in facts

/** Counts a query to the chains. Returns false when the caller has caused too many. */
function mayAsk(gate: Context['gate'], wallet: string): boolean {
  try {
    gate.spend(wallet)
    return true
  } catch {
    return false
  }
}

import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { search, SearchFor } from '@parley/sdk/contract/search.ts'
import type { Filters } from '@parley/sdk/search/filters.ts'
import { parseQuery, type SearchQuery } from '@parley/sdk/search/query.ts'
import type { Wallet } from '../../auth/tokens.ts'
import type { Context } from '../../context.ts'
import { JsonList, pageOf } from '../../db/pages.ts'
import type { Handlers } from '../../http/endpoint.ts'
import { createTurns, inTurn, whoSends } from '../../limits/concurrency.ts'
import { allows } from '../../http/scopes.ts'
import { badRequest } from '../../http/validation.ts'
import { findJoinedChats, requireChat } from '../../messages/chat-access.ts'
import { find } from './find.ts'

const defaultLimit = 20

/** So many searches at once: half of the connections for long reads. */
const turns = createTurns({
  name: 'searches',
  total: 2,
  caller: 1,
  network: 2,
  site: 2,
  waiting: 20,
  waitingOfAll: 500,
})

function parse({ q, has }: SearchFor): SearchQuery {
  const query = parseQuery(q)
  if ('problem' in query) throw badRequest([{ pointer: '/body/q', detail: query.problem }])
  if (query.terms.length === 0 && has === undefined)
    throw badRequest([{ pointer: '/body/q', detail: 'must have a word, or `has` says what to search for' }])
  return query
}

/** Returns true when the caller may do what a scope allows for all conversations or chats. */
const mayUse = (caller: Wallet, scope: 'inbox:read' | 'chat:read') => allows({ scope }, caller)

/** Returns the chats that are searched: one that is named and that the wallet may read, or those that it has joined. */
async function chatsOf(ctx: Context, caller: Wallet, { chat, peer, nftaddr }: SearchFor): Promise<string[]> {
  if (chat !== undefined) {
    if (!mayUse(caller, 'chat:read'))
      throw new ApiError('forbidden', 'This needs an API key with the scope chat:read.')
    return [(await requireChat(ctx, chat, caller.address)).chat]
  }
  if (peer !== undefined || nftaddr !== undefined || !mayUse(caller, 'chat:read')) return []
  const joined = await findJoinedChats(ctx.db, caller.address)
  if (!ctx.gate.concerns(caller.address)) return joined
  const closed = new Set(await ctx.gate.closedTo(caller.address, joined))
  return joined.filter((one) => !closed.has(one))
}

const timeOf = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time))

export const handlers: Handlers<typeof search> = {
  async search(ctx, { caller, body, http }) {
    if (!ctx.config.search)
      throw new ApiError(
        'unavailable',
        'This service has no search: its operator has switched it off (SEARCH=off).',
      )
    const query = parse(body)
    const { peer, from, nftaddr, has, since, until, before, limit } = body
    const filters: Filters = { peer, from, nftaddr, has, since: timeOf(since), until: timeOf(until) }
    const chats = await chatsOf(ctx, caller, body)
    const isDirect = body.chat === undefined && mayUse(caller, 'inbox:read')
    const who = whoSends(http.request.who, caller)
    const hits = await inTurn(turns, who, () =>
      find(ctx.db, {
        wallet: caller.address,
        query,
        filters,
        isDirect,
        chats,
        before: before ?? Number.MAX_SAFE_INTEGER,
        limit: limit ?? defaultLimit,
      }),
    )
    return new JsonList(hits.map((hit) => pageOf([hit])))
  },
}

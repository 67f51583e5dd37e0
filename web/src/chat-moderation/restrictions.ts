// The wallets that are muted or banned in a chat are read and changed here.

import type { Restriction } from '@parley/sdk/contract/chat-moderation-models.ts'
import { useQuery } from '@tanstack/react-query'
import { cache, client, query } from '../service/api.ts'

const restrictedQuery = (nftaddr: string) => query('listRestricted', { nftaddr })

export const useRestricted = (nftaddr: string) => useQuery({ ...restrictedQuery(nftaddr), staleTime: 0 })

/** The change has an end; null lifts it. */
interface Change {
  muted_until?: string | null
  banned_until?: string | null
  reason?: string
}

/** Sets what a wallet may not do. Fields that the change leaves out stay as they are. */
export async function restrict(nftaddr: string, walletaddr: string, change: Change): Promise<void> {
  const known = await cache.fetchQuery({ ...restrictedQuery(nftaddr), staleTime: 0 })
  const before = known.find((one) => one.walletaddr === walletaddr)
  const body = { ...fieldsOf(before), ...change }
  const now = await client.restrictMember({ nftaddr, walletaddr, body })
  cache.setQueryData<Restriction[]>(restrictedQuery(nftaddr).queryKey, (all = []) => [
    ...all.filter((one) => one.walletaddr !== walletaddr),
    ...(now.muted_until !== undefined || now.banned_until !== undefined ? [now] : []),
  ])
  void cache.invalidateQueries({ queryKey: ['listChatLog', nftaddr] })
}

const fieldsOf = (before: Restriction | undefined): Change =>
  before
    ? {
        ...(before.muted_until !== undefined && { muted_until: before.muted_until }),
        ...(before.banned_until !== undefined && { banned_until: before.banned_until }),
        reason: before.reason,
      }
    : {}

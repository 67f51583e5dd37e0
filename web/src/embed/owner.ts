import { ApiError, createClientOf } from '@parley/sdk'
import { nfts } from '@parley/sdk/slices'
import type { Owned } from './place.ts'

/** Who gets what is written to the owner of a token, or why nobody does. */
export type Found = { path: string } | { why: string }

/** Returns the path of the conversation with the owner of a token. */
export async function findOwner({ nft, chain }: Owned): Promise<Found> {
  const client = createClientOf({ baseUrl: location.origin }, nfts)
  try {
    const [found] = await client.getNftOwner({ ...nft, query: { ...(chain && { chain }) } })
    if (!found) return { why: 'Nobody is known as the one owner of this token.' }
    if (found.is_contract)
      return {
        why: 'A contract owns this token, such as a market that lists it: nobody may read messages there.',
      }
    const about = { nft: nft.nftaddr, token: nft.nftid, ...(chain && { chain: String(chain) }) }
    return { path: `dm/${found.owner}?${new URLSearchParams(about)}` }
  } catch (error) {
    return { why: error instanceof ApiError ? error.message : 'The owner can’t be looked up now.' }
  }
}

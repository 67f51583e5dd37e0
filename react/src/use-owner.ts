import { createClientOf, type NftOwner } from '@parley/sdk'
import { nfts } from '@parley/sdk/slices'
import { useMemo } from 'react'
import { canonicalNft, type Nft } from './places.ts'
import type { Resource, Shown } from './shared.ts'
import { useResource } from './use-resource.ts'

interface State extends Shown {
  /** Who owns the token; undefined until it is known, and where nobody is named, as for ERC-1155. */
  owner: string | undefined
  /** Whether the owner is a contract, such as that of a market: then hardly anybody reads what is written to it. */
  isContract: boolean | undefined
  /** From whom the owner takes messages. */
  accepts: NftOwner['accepts'] | undefined
}

export interface Owner extends State {
  reload: () => Promise<void>
}

const unknown: State = {
  status: 'loading',
  error: undefined,
  owner: undefined,
  isContract: undefined,
  accepts: undefined,
}
// Nobody has to be signed in.
const first = { signedOut: unknown, loading: unknown }

/**
 * Who owns an NFT, which may not be known yet, a minute ago at most. It needs no sign-in.
 * @example
 * const { owner, isContract } = useOwner({ nftaddr, nftid: '721' })
 * const { messages, send } = useConversation(isContract ? undefined : owner)
 */
export function useOwner(nft: Nft | undefined): Owner {
  const { nftaddr, nftid } = nft ? canonicalNft(nft) : {}
  const resource = useMemo(
    () => (nftaddr === undefined || nftid === undefined ? undefined : ownerOf({ nftaddr, nftid })),
    [nftaddr, nftid],
  )
  const [state, , reload] = useResource(resource, first)
  return { ...state, reload }
}

const ownerOf = (nft: Nft): Resource<State, undefined> => ({
  key: JSON.stringify(['owner', nft.nftaddr, nft.nftid]),
  first,
  isPublic: true,
  start: ({ options, signal }) => {
    const client = createClientOf(options, nfts)
    return {
      load: async () => {
        const [found] = await client.getNftOwner(nft, { signal })
        return { owner: found?.owner, isContract: found?.is_contract, accepts: found?.accepts }
      },
      actions: undefined,
    }
  },
})

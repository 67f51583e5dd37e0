import { useQuery } from '@tanstack/react-query'
import { query } from '../service/api.ts'
import { shortAddress } from '../seal/address.ts'

/** Cards and chips show this of a token. */
export interface ShownNft {
  /** The title is its name by its metadata, else its collection or contract with its id. */
  title: string
  /** This is the name of the collection; it is empty when it is not known. */
  collection: string
  picture: string | undefined
  /** It is empty when it is not known, or when there are several. */
  owner: string
  /** This is true when the owner is a contract, such as a marketplace. */
  byContract: boolean
}

const long = 10 * 60_000

/**
 * Returns what the service knows about a token. Until that is read, and when no chain is configured, it returns its
 * contract and its id.
 */
export function useNft({ nftaddr, nftid }: { nftaddr: string; nftid: string }): ShownNft {
  const { data } = useQuery({ ...query('getNft', { nftaddr, nftid }), staleTime: long })
  const nft = data?.[0]
  const pictures = useQuery({
    ...query('getNftPicture', { nftaddr, nftid }),
    staleTime: long,
    enabled: nft !== undefined,
  })
  return {
    title: nft?.name || `${nft?.collection || shortAddress(nftaddr)} #${shortId(nftid)}`,
    collection: nft?.collection ?? '',
    picture: pictures.data?.[0]?.base64data,
    owner: nft?.owner ?? '',
    byContract: nft?.owned_by_contract === true,
  }
}

/** Some ids have 78 digits. */
const shortId = (id: string) => (id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-6)}` : id)

/** Returns the contract and the id from the URL of a marketplace or explorer, or from text that was copied there. */
export function parseNft(text: string): { nftaddr: string; nftid: string } | undefined {
  const [, nftaddr, nftid] =
    /(0x[0-9a-f]{40})(?:\/(?:instance\/)?|\?a=|[:#\s]+)(\d{1,78})\b/i.exec(text) ?? []
  return nftaddr && nftid ? { nftaddr: nftaddr.toLowerCase(), nftid } : undefined
}

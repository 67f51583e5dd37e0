import { useQuery } from '@tanstack/react-query'
import { query } from '../service/api.ts'
import { shortAddress } from '../ui/address.ts'

/** A token as cards and chips show it. */
export interface ShownNft {
  /** Its name by its metadata, else its collection or contract with its id. */
  title: string
  /** The name of the collection; empty when it is not known. */
  collection: string
  picture: string | undefined
  /** Empty when it is not known, or when there are several. */
  owner: string
}

const long = 10 * 60_000

/**
 * What the service knows of a token. Until that is read, and where no chain is configured, its
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
  }
}

/** Some ids have 78 digits. */
const shortId = (id: string) => (id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-6)}` : id)

/** The contract and the id in an address of a marketplace or explorer, or in what was copied there. */
export function parseNft(text: string): { nftaddr: string; nftid: string } | undefined {
  const [, nftaddr, nftid] =
    /(0x[0-9a-f]{40})(?:\/(?:instance\/)?|\?a=|[:#\s]+)(\d{1,78})\b/i.exec(text) ?? []
  return nftaddr && nftid ? { nftaddr: nftaddr.toLowerCase(), nftid } : undefined
}

import { useQuery } from '@tanstack/react-query'
import { BadgeCheck } from 'lucide-react'
import { query } from '../service/api.ts'
import { useMe } from '../service/session.ts'
import { shortAddress } from '../ui/address.ts'
import { classes } from '../ui/classes.ts'
import { NftPicture } from './NftPicture.tsx'
import { type ShownNft, useNft } from './nft.ts'

interface Props {
  nftaddr: string
  nftid: string
  /** The wallet that one talks to, with its name. */
  peer: string
  peerName: string
}

/** The picture of a token, what it is, and what the chain says about the two who talk about it. */
export function NftSummary({ nftaddr, nftid, peer, peerName }: Props) {
  const nft = useNft({ nftaddr, nftid })
  const badge = useBadge(nft, { nftaddr, peer, peerName })
  const { title, collection, picture } = nft
  return (
    <>
      <NftPicture url={picture} nftaddr={nftaddr} className="size-14 rounded-xl" />
      <span className="grid min-w-0 gap-0.5 leading-snug">
        <span className="truncate font-semibold" dir="auto">
          {title}
        </span>
        <span className={classes('truncate text-sm text-muted', !collection && 'font-address')} dir="auto">
          {collection && !title.startsWith(collection) && `${collection} · `}
          {collection ? shortAddress(nftaddr) : nftaddr}
        </span>
        {badge && (
          <span className="flex items-center gap-1 text-sm font-medium text-accent">
            <BadgeCheck className="size-4 shrink-0" aria-hidden="true" />
            <span className="truncate">{badge}</span>
          </span>
        )}
      </span>
    </>
  )
}

/** Who owns the token; where its contract names no owner, whether the peer holds some of the collection. */
function useBadge(
  { collection, owner }: ShownNft,
  { nftaddr, peer, peerName }: Pick<Props, 'nftaddr' | 'peer' | 'peerName'>,
): string | undefined {
  const me = useMe()
  const { data } = useQuery({
    ...query('checkOwnership', { contract: nftaddr, wallet: peer }),
    // Only where a chain knows the contract.
    enabled: collection !== '' && owner === '' && peer !== me,
    retry: false,
  })
  if (owner === '') return data && data.length > 0 ? `${peerName} holds tokens of this collection` : undefined
  if (owner === me) return 'You own it'
  return owner === peer ? `${peerName} owns it` : undefined
}

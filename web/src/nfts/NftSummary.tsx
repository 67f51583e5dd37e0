import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, TriangleAlert } from 'lucide-react'
import { query } from '../service/api.ts'
import { useMe } from '../service/session.ts'
import { shortAddress } from '../seal/address.ts'
import { classes } from '../ui/classes.ts'
import { NftPicture } from './NftPicture.tsx'
import { type ShownNft, useNft } from './nft.ts'

interface Props {
  nftaddr: string
  nftid: string
  /** This is the other wallet of the conversation, with its name. */
  peer: string
  peerName: string
}

/** Shows the picture of a token, what it is, and what the chain says about the two who talk about it. */
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
          <span
            className={classes(
              'flex items-start gap-1 text-sm font-medium',
              badge.warns ? 'text-warn' : 'text-accent',
            )}
          >
            {badge.warns ? (
              <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
            ) : (
              <BadgeCheck className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
            )}
            <span className={classes('min-w-0', badge.warns ? 'text-pretty wrap-anywhere' : 'truncate')}>
              {badge.text}
            </span>
          </span>
        )}
      </span>
    </>
  )
}

interface Badge {
  text: string
  /** This is true when the peer has no such token, so that a buyer should check twice. */
  warns: boolean
}

/** Returns who owns the token; when its contract names no owner, whether the peer holds some of the collection. */
function useBadge(
  { collection, owner, byContract }: ShownNft,
  { nftaddr, peer, peerName }: Pick<Props, 'nftaddr' | 'peer' | 'peerName'>,
): Badge | undefined {
  const me = useMe()
  const { data } = useQuery({
    ...query('checkOwnership', { contract: nftaddr, wallet: peer }),
    // It runs only when a chain knows the contract.
    enabled: collection !== '' && owner === '' && peer !== me,
    retry: false,
  })
  const good = (text: string) => ({ text, warns: false })
  const warning = (text: string) => ({ text, warns: true })
  if (owner === '' && data)
    return data.length > 0
      ? good(`${peerName} owns NFTs from this collection`)
      : warning(`${peerName} owns no NFT from this collection`)
  if (owner === '') return undefined
  if (owner === me) return good('You own it')
  if (owner === peer) return good(`${peerName} owns it`)
  if (byContract)
    return warning(
      `A contract owns this NFT, for example a marketplace${peer === me ? '' : `: not ${peerName}`}`,
    )
  return peer === me ? undefined : warning(`${peerName} does not own this NFT`)
}

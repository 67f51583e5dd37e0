import { Link } from 'react-router'
import { NftPicture } from './NftPicture.tsx'
import { useNft } from './nft.ts'

interface Props {
  nftaddr: string
  nftid: string
  /** This is the page of the conversation about it. */
  to: string
}

/** Shows in a message the NFT that it is about. */
export function NftChip({ to, ...token }: Props) {
  const { title, picture } = useNft(token)
  return (
    <Link
      to={to}
      className="-mx-1.5 mt-0.5 flex min-h-8 items-center gap-2 rounded-lg bg-current/10 py-1 ps-1 pe-2.5 hover:bg-current/15 pointer-coarse:min-h-11"
    >
      <NftPicture url={picture} nftaddr={token.nftaddr} className="size-6 rounded-md" />
      <span className="truncate">
        About <span className="font-medium">{title}</span>
      </span>
    </Link>
  )
}

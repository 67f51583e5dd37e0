import { MessagesSquare, X } from 'lucide-react'
import { Link } from 'react-router'
import { NftSummary } from './NftSummary.tsx'

interface Props {
  nftaddr: string
  nftid: string
  peer: string
  peerName: string
  /** This is the page of the whole conversation. */
  closeTo: string
}

const control =
  'grid size-11 shrink-0 place-items-center rounded-full text-muted transition-colors hover:bg-hover hover:text-ink'

/** Shows above a conversation the NFT that it is about, with a link to its public comments. */
export function NftCard({ nftaddr, nftid, peer, peerName, closeTo }: Props) {
  return (
    <aside
      aria-label="What this conversation is about"
      className="flex shrink-0 items-center gap-1 border-b border-line bg-surface py-2 ps-3 pe-2 sm:ps-4"
    >
      <Link
        to={`/nft/${nftaddr}/${encodeURIComponent(nftid)}`}
        className="-ms-1.5 flex min-w-0 flex-1 items-center gap-3 rounded-xl p-1.5 -outline-offset-2 hover:bg-hover"
      >
        <NftSummary nftaddr={nftaddr} nftid={nftid} peer={peer} peerName={peerName} />
      </Link>
      <Link
        to={`/nft/${nftaddr}`}
        aria-label="Chat of this collection"
        title="Chat of this collection"
        className={control}
      >
        <MessagesSquare className="size-5" aria-hidden="true" />
      </Link>
      <Link
        to={closeTo}
        aria-label="Show the whole conversation"
        title="Show the whole conversation"
        className={control}
      >
        <X className="size-5" aria-hidden="true" />
      </Link>
    </aside>
  )
}

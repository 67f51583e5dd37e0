import { lazy, Suspense } from 'react'
import type { Standing } from '../contacts/standing.ts'
import { LookAlikeWarning } from '../inbox/LookAlikeWarning.tsx'
import type { Nft } from '../thread/history.ts'
import type { StoredMessage } from '../thread/Thread.tsx'
import { ConversationHeader } from './ConversationHeader.tsx'

const RequestCard = lazy(async () => ({
  default: (await import('../contacts/RequestCard.tsx')).RequestCard,
}))
const NftCard = lazy(async () => ({ default: (await import('../nfts/NftCard.tsx')).NftCard }))

interface Props {
  peer: string
  /** What the reader knows it by. */
  title: string
  nft: Nft | undefined
  standing: Standing
  /** Whether the reader has compared the keys of both. */
  isCompared?: boolean | undefined
  messages: StoredMessage[]
}

/** What stands above the messages: who it is, what is known of a stranger, and what it is about. */
export function ConversationTop({ peer, title, nft, standing, isCompared, messages }: Props) {
  return (
    <>
      <ConversationHeader peer={peer} title={title} nft={nft} standing={standing} isCompared={isCompared} />
      {standing === 'request' || standing === 'ignored' ? (
        <Suspense>
          <RequestCard
            peer={peer}
            title={title}
            standing={standing}
            texts={messages.filter(({ mine }) => !mine).map(({ text }) => text)}
          />
        </Suspense>
      ) : (
        <LookAlikeWarning address={peer} />
      )}
      {nft && (
        <Suspense>
          <NftCard {...nft} peer={peer} peerName={title} closeTo={`/dm/${encodeURIComponent(peer)}`} />
        </Suspense>
      )}
    </>
  )
}

import { lazy, Suspense } from 'react'
import type { Standing } from '../contacts/relation.ts'
import { LookAlikeWarning } from '../inbox/LookAlikeWarning.tsx'
import { saidOfFiles } from '../messages/said.ts'
import { ThreadSearch } from '../search/ThreadSearch.tsx'
import type { Nft } from '../thread/history.ts'
import type { StoredMessage } from '../thread/merged.ts'
import { ConversationHeader } from './ConversationHeader.tsx'

const RequestCard = lazy(async () => ({
  default: (await import('../contacts/RequestCard.tsx')).RequestCard,
}))
const NftCard = lazy(async () => ({ default: (await import('../nfts/NftCard.tsx')).NftCard }))

/** Returns what the peer has written, and the names of the files that it has sent. */
function writtenIn(messages: StoredMessage[]) {
  const theirs = messages.filter(({ mine }) => !mine)
  return {
    texts: theirs.filter((message) => saidOfFiles(message) === undefined).map(({ text }) => text),
    files: theirs.flatMap(({ files = [] }) => files.map(({ name }) => name)),
  }
}

interface Props {
  peer: string
  /** The reader knows the peer by this name. */
  title: string
  nft: Nft | undefined
  standing: Standing
  /** This is true when the reader has compared the keys of both. */
  isCompared?: boolean | undefined
  messages: StoredMessage[]
}

/** Shows above the messages who the peer is, what is known about a stranger, and what NFT it is about. */
export function ConversationTop({ peer, title, nft, standing, isCompared, messages }: Props) {
  return (
    <>
      <ConversationHeader peer={peer} title={title} nft={nft} standing={standing} isCompared={isCompared} />
      <ThreadSearch place={{ peer, nft }} />
      {standing === 'request' || standing === 'ignored' ? (
        <Suspense>
          <RequestCard peer={peer} title={title} standing={standing} {...writtenIn(messages)} />
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

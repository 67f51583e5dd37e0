import { useParams, useSearchParams } from 'react-router'
import { useMe } from '../service/session.ts'
import { Conversation } from './Conversation.tsx'

/** The conversation with one wallet, whole or about one NFT. */
export function ConversationPage() {
  const me = useMe()
  const { address = '' } = useParams()
  const [search] = useSearchParams()
  const peer = /^0x[0-9a-f]{40}$/i.test(address) ? address.toLowerCase() : address
  const [nftaddr, nftid] = [search.get('nft')?.toLowerCase(), search.get('token')]
  const nft = nftaddr && nftid ? { nftaddr, nftid } : undefined
  return <Conversation key={`${peer} ${nftaddr} ${nftid}`} me={me} peer={peer} nft={nft} />
}

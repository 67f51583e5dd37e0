import { useQuery } from '@tanstack/react-query'
import { CircleAlert, UserX } from 'lucide-react'
import { Link, Navigate, useParams, useSearchParams } from 'react-router'
import { peerOf } from '../names/peer.ts'
import { useInbox } from '../inbox/rows.ts'
import { foundWallet } from '../names/find.ts'
import { describeError } from '../service/describe-error.ts'
import { useMe } from '../service/session.ts'
import { DeadEnd } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { Conversation } from './Conversation.tsx'

/** Shows the conversation with one wallet, all of it or the part about one NFT. */
export function ConversationPage() {
  const me = useMe()
  const { address: text = '' } = useParams()
  const [search] = useSearchParams()
  const { data: rows } = useInbox()
  // An address in this form has no checksum and is no name, so no lookup is necessary. An address from the inbox opens
  // as it is.
  const settled =
    /^0x[0-9a-f]{40}$/.test(text) ||
    rows?.some((row) => row.context_type === 'dm' && peerOf(row, me) === text)
  const { data: found, error } = useQuery({ ...foundWallet(text), enabled: !settled })
  if (!settled) {
    if (error) return <NoSuchWallet text={text} reason={describeError(error)} />
    if (!found)
      return (
        <div className="grid h-full place-items-center">
          <Spinner label="Looking for the wallet" />
        </div>
      )
    if ('problem' in found && found.instead) return <OtherName text={text} name={found.instead} />
    if ('problem' in found) return <NoSuchWallet text={text} reason={found.problem} />
    if ('path' in found) return <Navigate to={found.path} replace />
    if (found.address !== text)
      return <Navigate to={{ pathname: `/dm/${found.address}`, search: search.toString() }} replace />
  }
  const [nftaddr, nftid] = [search.get('nft')?.toLowerCase(), search.get('token')]
  const nft = nftaddr && nftid ? { nftaddr, nftid } : undefined
  return <Conversation key={`${text} ${nftaddr} ${nftid}`} me={me} peer={text} nft={nft} />
}

/** Replaces a conversation when a link has a name of ENS that is written differently there: asks whether it is meant. */
const OtherName = ({ text, name }: { text: string; name: string }) => (
  <DeadEnd
    title="Another spelling"
    icon={<CircleAlert className="size-7" />}
    heading={`Do you mean ${name}?`}
  >
    You opened <bdi className="wrap-anywhere text-ink">{text}</bdi>. In ENS that is written{' '}
    <Link
      to={`/dm/${encodeURIComponent(name)}`}
      className="font-medium wrap-anywhere text-accent underline underline-offset-2"
    >
      {name}
    </Link>
    , which may belong to somebody else than you expect. Open it only if you mean this name.
  </DeadEnd>
)

/** Replaces a conversation when a link names no wallet: says why, and what to do. */
const NoSuchWallet = ({ text, reason }: { text: string; reason: string }) => (
  <DeadEnd title="No such wallet" icon={<UserX className="size-7" />} heading="There is no such wallet">
    <span className="font-address mb-2 block wrap-anywhere text-ink">{text}</span>
    {reason}
  </DeadEnd>
)

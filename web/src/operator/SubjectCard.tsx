import type { QueuedReport, Subject } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { withChecksum } from '../first-run/link.ts'
import { query } from '../service/api.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { isEvmAddress, shortAddress } from '../seal/address.ts'
import { AddressBlocks } from '../seal/AddressBlocks.tsx'
import { Avatar } from '../seal/Avatar.tsx'
import { communityPath } from '@parley/sdk/chat-path.ts'
import { Card } from '../ui/Card.tsx'
import { Seal } from '../seal/Seal.tsx'
import { Entries } from './Entries.tsx'
import { sanctionWords } from './labels.ts'

/** Shows the wallet or chat that a report is about. */
export function SubjectCard({ subject: address, kind }: { subject: string; kind: QueuedReport['kind'] }) {
  const { data, error, refetch } = useQuery(query('getSubject', { address }))
  const known = data?.[0]
  return (
    <Card title={kind === 'wallet' ? 'About the wallet' : 'About the chat'}>
      {kind === 'wallet' ? <Wallet address={address} known={known} /> : <Chat chat={address} />}
      {error && <ReadProblem error={error} what="Sanctions and history" onRetry={() => void refetch()} />}
      {known && (
        <>
          <p className={known.sanctions.length > 0 ? 'font-medium text-danger' : 'text-sm text-muted'}>
            {known.sanctions.map(sanctionWords).join('. ') || 'No sanctions.'}
          </p>
          <p className="text-sm text-muted">
            {known.reports.all === 0 ? 'Never reported.' : reported(known.reports)}
          </p>
          <details open={known.history.length < 6}>
            <summary className="min-h-8 cursor-pointer text-sm font-medium">
              History: {known.history.length === 100 ? 'the last 100' : known.history.length}
            </summary>
            <Entries entries={known.history} />
          </details>
        </>
      )}
    </Card>
  )
}

function reported({ all, reporters, open }: Subject['reports']): string {
  const often = all === 1 ? 'once' : `${all} times`
  const who = all === 1 ? '' : ` by ${reporters} ${reporters === 1 ? 'wallet' : 'wallets'}`
  const waits = open === 0 ? 'none' : `${open} ${open === 1 ? 'waits' : 'wait'}`
  return `Reported ${often}${who}; ${waits}.`
}

const Wallet = ({ address, known }: { address: string; known: Subject | undefined }) => (
  <div className="flex flex-wrap items-center gap-4">
    <span className="size-16 shrink-0">
      <Seal seed={address} />
    </span>
    {known?.picture && <Avatar seed={address} picture={known.picture} size="large" />}
    <div className="grid min-w-0 gap-1">
      <Link
        to={`/operator/wallets/${address}`}
        className="w-fit text-lg font-semibold wrap-anywhere hover:underline"
        dir="auto"
      >
        {known?.name || shortAddress(address)}
      </Link>
      <AddressBlocks address={withChecksum(address)} />
    </div>
  </div>
)

const Chat = ({ chat }: { chat: string }) => (
  <p className="flex items-center gap-3">
    <Avatar seed={chat} square />
    <Link
      to={isEvmAddress(chat) ? `/nft/${chat}` : communityPath(chat)}
      className="wrap-anywhere underline underline-offset-2"
    >
      {chat}
    </Link>
  </p>
)

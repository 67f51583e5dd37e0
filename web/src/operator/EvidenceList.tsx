import type { Evidence } from '@parley/sdk'
import { ShieldCheck, ShieldQuestion } from 'lucide-react'
import { Link } from 'react-router'
import { sizeText } from '../files/size-text.ts'
import { MarkedText } from '../messages/MarkedText.tsx'
import { WalletName } from '../names/WalletName.tsx'
import { shortTime } from '../state/time.ts'
import { proofs } from './labels.ts'

/** Lists the messages that the reporter disclosed, and how each is proven. */
export function EvidenceList({ evidence }: { evidence: Evidence[] }) {
  if (evidence.length === 0) return <p className="text-sm text-muted">The reporter attached no messages.</p>
  return (
    <ol className="grid gap-3">
      {evidence.map((one, index) => (
        <li key={one.id} className="grid gap-1.5 rounded-xl border border-line p-3">
          <p className="flex flex-wrap gap-x-2 text-sm text-muted">
            <span>{index + 1}.</span>
            <span className="font-medium text-ink">
              <WalletName address={one.fromaddr} />
            </span>
            <span>{where(one)}</span>
            <time dateTime={one.at}>{shortTime(one.at)}</time>
          </p>
          {one.message !== undefined && (
            <p className="text-pretty wrap-anywhere whitespace-pre-wrap" dir="auto">
              <MarkedText text={one.message} all />
            </p>
          )}
          {/* An edit may bring an earlier text back: the key is its place. */}
          {Object.entries(one.earlier ?? []).map(([place, text]) => (
            <p
              key={place}
              className="text-sm text-pretty wrap-anywhere whitespace-pre-wrap text-muted"
              dir="auto"
            >
              Before an edit: <MarkedText text={text} all />
            </p>
          ))}
          <Files files={one.clear_files} />
          <Proof proof={one.proof} />
        </li>
      ))}
    </ol>
  )
}

const where = ({ toaddr, nftaddr }: Evidence) =>
  toaddr === undefined ? `in the chat ${nftaddr ?? ''}` : 'in a direct message'

/** Lists the files of a message in the clear. An operator cannot open them, and can block each. */
const Files = ({ files }: { files: Evidence['clear_files'] }) =>
  files && (
    <ul aria-label="Files" className="grid grid-cols-1 gap-1 text-sm">
      {files.map(({ id, sha256, name = 'A file without a name', size }) => (
        <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="wrap-anywhere" dir="auto">
            <MarkedText text={name} all /> <span className="text-muted">({sizeText(size)})</span>
          </span>
          <Link
            to={`/operator/files?sha256=${sha256}`}
            aria-label={`Block this file: ${name}`}
            className="inline-flex items-center underline underline-offset-2 pointer-coarse:min-h-11"
          >
            Block this file
          </Link>
        </li>
      ))}
    </ul>
  )

function Proof({ proof }: Pick<Evidence, 'proof'>) {
  const isProven = proof === 'stored' || proof === 'opened'
  const Icon = isProven ? ShieldCheck : ShieldQuestion
  return (
    <p className={`flex gap-2 text-sm text-pretty ${isProven ? 'text-muted' : 'text-warn'}`}>
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      {proofs[proof]}
    </p>
  )
}

import type { LogEntry } from '@parley/sdk'
import { Link } from 'react-router'
import { WalletName } from '../names/WalletName.tsx'
import { isEvmAddress } from '../seal/address.ts'
import { clock, shortTime } from '../state/time.ts'
import { fold } from './folding.ts'
import { logged, untilOf } from './labels.ts'

const ended: ReadonlySet<string> = new Set(['mute', 'ban', 'shadow_mute', 'close_chat'])

/** Shows rows of the log: what was done, by whom, and why. `withSubjects` adds the subjects when there are several. */
export function Entries({ entries, withSubjects = false }: { entries: LogEntry[]; withSubjects?: boolean }) {
  if (entries.length === 0) return <p className="py-1 text-sm text-muted">Nothing yet.</p>
  return (
    <ol className="grid grid-cols-1 gap-3 py-1">
      {fold(entries).map((entry) => (
        <li key={entry.id} className="grid gap-0.5 border-s-2 border-line ps-3 text-sm">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">
              {logged(entry.action)}
              {ended.has(entry.action) && ` ${untilOf(entry.until)}`}
            </span>
            {withSubjects && entry.subject && <Subject subject={entry.subject} />}
            <span className="text-muted">
              by <WalletName address={entry.operator} />,{' '}
              <time dateTime={entry.at}>{shortTime(entry.at)}</time>
              {entry.openedAt && (
                <>
                  , opened <time dateTime={entry.openedAt}>{clock(entry.openedAt)}</time>
                </>
              )}
            </span>
          </p>
          {entry.reason && (
            <p className="text-pretty wrap-anywhere whitespace-pre-wrap text-muted" dir="auto">
              {entry.reason}
            </p>
          )}
          {entry.reports.length > 0 && (
            <p className="text-muted">
              {entry.reports.length === 1 ? 'Report' : 'Reports'} {entry.reports.join(', ')}
            </p>
          )}
        </li>
      ))}
    </ol>
  )
}

const Subject = ({ subject }: { subject: string }) => (
  <Link
    to={`/operator/wallets/${encodeURIComponent(subject)}`}
    className="wrap-anywhere underline underline-offset-2"
    title={subject}
  >
    {isEvmAddress(subject) ? <WalletName address={subject} /> : subject}
  </Link>
)

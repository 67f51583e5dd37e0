import type { QueuedReport } from '@parley/sdk'
import { Link } from 'react-router'
import { WalletName } from '../names/WalletName.tsx'
import { Avatar } from '../seal/Avatar.tsx'
import { useMinute } from '../state/minute.ts'
import { relativeTime } from '../state/time.ts'
import { reasons } from './labels.ts'

export function ReportRow({ report, isNew = false }: { report: QueuedReport; isNew?: boolean }) {
  const { id, at, subject, kind, reason, reporter, weight, messages } = report
  const now = useMinute()
  const isWallet = kind === 'wallet'
  return (
    <li>
      <Link
        to={`/operator/reports/${id}`}
        className="flex items-center gap-3 rounded-2xl border border-line bg-surface p-3 hover:bg-hover"
      >
        <Avatar seed={subject} square={!isWallet} />
        <span className="grid min-w-0 flex-1 leading-snug">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="min-w-0 truncate font-medium" dir="auto">
              {isWallet ? <WalletName address={subject} /> : subject}
            </span>
            <span className="text-sm text-muted">{reasons[reason]}</span>
            {isNew && (
              <span className="rounded-full bg-accent px-2 text-xs font-semibold text-on-accent forced-colors:border">
                New
              </span>
            )}
          </span>
          <span className="truncate text-sm text-muted">
            by{' '}
            {reporter === undefined ? 'someone who erased their wallet' : <WalletName address={reporter} />}
            {' · '}
            {messages === 0 ? 'no messages' : `${messages} ${messages === 1 ? 'message' : 'messages'}`}
          </span>
        </span>
        <span className="grid shrink-0 justify-items-end text-sm text-muted">
          <span title="How credible the reporter is, by what they did here">
            Weight <span className="font-semibold text-ink">{weight}</span>/10
          </span>
          <time dateTime={at}>{relativeTime(at, now)}</time>
        </span>
      </Link>
    </li>
  )
}

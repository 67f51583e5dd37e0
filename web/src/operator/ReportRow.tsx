import type { QueuedReport } from '@parley/sdk'
import { Link } from 'react-router'
import { WalletName } from '../names/WalletName.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { useMinute } from '../ui/minute.ts'
import { relativeTime } from '../ui/time.ts'
import { reasons } from './words.ts'

/** A report in a list. */
export function ReportRow({ report, isNew = false }: { report: QueuedReport; isNew?: boolean }) {
  const { id, at, subject, kind, reason, weight, messages } = report
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
            {messages === 0
              ? isWallet
                ? 'The wallet as a whole'
                : 'The chat as a whole'
              : messagesOf(messages)}
          </span>
        </span>
        <span className="grid justify-items-end text-sm text-muted">
          <span className="font-semibold text-ink tabular-nums">
            <span className="sr-only">Weight </span>
            {weight}
          </span>
          <time dateTime={at}>{relativeTime(at, now)}</time>
        </span>
      </Link>
    </li>
  )
}

const messagesOf = (count: number) => `${count} ${count === 1 ? 'message' : 'messages'} disclosed`

import { useQuery } from '@tanstack/react-query'
import { query } from '../service/api.ts'
import { Card } from '../ui/Card.tsx'
import { shortTime } from '../ui/time.ts'
import { WalletName } from '../names/WalletName.tsx'
import { useNotices } from './notices.ts'
import { accessWords, noticeWords } from './notice-words.ts'

/** What the operators did with the wallet, what was added to it, and what became of its reports. Nothing where there is neither. */
export function NoticesCard() {
  const { data: notices = [] } = useNotices(true)
  const { data: reports = [] } = useQuery(query('listOwnReports'))
  if (notices.length + reports.length === 0) return null
  return (
    <Card title="Notices">
      {notices.length > 0 && (
        <ul className="grid gap-3">
          {notices.map(({ id, at, action, until, reason }) => (
            <li key={id} className="grid gap-0.5">
              <span className="font-medium">
                {noticeWords[action] ?? 'A notice'}
                {until && `, until ${shortTime(until)}`}
              </span>
              {/* What was added is named where it can be deleted, for as long as it is there. */}
              {!(action in accessWords) && <span className="text-sm wrap-anywhere">{reason}</span>}
              <time dateTime={at} className="text-xs text-muted">
                {shortTime(at)}
              </time>
            </li>
          ))}
        </ul>
      )}
      {reports.length > 0 && (
        <>
          <h3 className="text-sm font-semibold">Your reports</h3>
          <ul className="grid gap-2">
            {reports.map(({ id, at, subject, reason, status }) => (
              <li key={id} className="flex flex-wrap gap-x-3 text-sm">
                <span className="min-w-0 flex-1 truncate">
                  {reason === 'appeal' ? 'Your appeal' : <WalletName address={subject} />}
                </span>
                <span className="text-muted">
                  {shortTime(at)} · {status === 'closed' ? 'looked at' : 'not looked at yet'}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

import { useQuery } from '@tanstack/react-query'
import { query } from '../service/api.ts'
import { Card } from '../ui/Card.tsx'
import { shortTime } from '../state/time.ts'
import { WalletName } from '../names/WalletName.tsx'
import { useNotices } from '../sanctions/notices.ts'
import { accessWords, noticeWords } from './notice-words.ts'

/**
 * Lists what the operators did with the wallet, what was added to it, and the results of its reports. It is empty when
 * there is neither.
 */
export function NoticesCard() {
  const { data: notices = [] } = useNotices(true)
  const { data: reports = [] } = useQuery(query('listOwnReports'))
  if (notices.length + reports.length === 0) return null
  return (
    <Card title="Reports and notices">
      {notices.length > 0 && (
        <ul className="grid gap-3">
          {notices.map(({ id, at, action, until, reason }) => (
            <li key={id} className="grid gap-0.5">
              <span className="font-medium">
                {noticeWords[action] ?? 'A notice'}
                {until && `, until ${shortTime(until)}`}
              </span>
              {/* An added thing has its name where it can be deleted, for as long as it is there. */}
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
                  {shortTime(at)} · {status === 'closed' ? 'reviewed' : 'waiting'}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

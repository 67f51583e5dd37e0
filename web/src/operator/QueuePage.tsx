import type { QueuedReport } from '@parley/sdk'
import { Inbox } from 'lucide-react'
import { useRef } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { KeysCard } from './KeysCard.tsx'
import { useKeys } from './keys.ts'
import { OperatorNav } from './OperatorNav.tsx'
import { type Status, useQueue, useSeen } from './queue.ts'
import { ReportRow } from './ReportRow.tsx'
import { statuses } from './words.ts'

const names = Object.keys(statuses) as Status[]

/** The reports, the weightiest subjects first. */
export function QueuePage() {
  const [search] = useSearchParams()
  const status = names.find((name) => name === search.get('status')) ?? 'open'
  const { reports, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useQueue(status)
  const seen = useSeen(reports)
  const list = useRef<HTMLUListElement>(null)
  useKeys((key) => {
    const step = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }[key]
    return step !== undefined && moveFocus(list.current, step)
  })
  return (
    <Page title="Reports">
      <OperatorNav />
      <nav aria-label="Status" className="flex flex-wrap gap-1">
        {names.map((name) => (
          <Link
            key={name}
            to={name === 'open' ? '/operator' : `/operator?status=${name}`}
            aria-current={name === status ? 'page' : undefined}
            className={classes(
              'inline-flex min-h-9 items-center rounded-full px-3 text-sm font-medium pointer-coarse:min-h-11',
              name === status ? 'bg-selected text-accent-strong' : 'text-muted hover:bg-hover',
            )}
          >
            {statuses[name]}
          </Link>
        ))}
      </nav>
      {error && !reports && <ReadProblem error={error} what="Reports" onRetry={() => void refetch()} />}
      {!reports && !error && <Spinner />}
      {reports && <Summary reports={reports} seen={seen} status={status} isWhole={!hasNextPage} />}
      {reports && reports.length > 0 && (
        <ul ref={list} aria-label="Reports" className="grid grid-cols-1 gap-2">
          {reports.map((report) => (
            <ReportRow key={report.id} report={report} isNew={seen > 0 && report.id > seen} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} className="justify-self-start" onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
      <KeysCard
        keys={[
          ['j or ↓', 'the next report'],
          ['k or ↑', 'the one before'],
          ['Enter', 'open it'],
        ]}
      />
    </Page>
  )
}

interface SummaryProps {
  reports: QueuedReport[]
  seen: number
  status: Status
  /** Whether these are all. */
  isWhole: boolean
}

const Summary = ({ reports, seen, status, isWhole }: SummaryProps) => {
  if (reports.length === 0)
    return (
      <EmptyState icon={<Inbox className="size-7" />} title={`No ${statuses[status].toLowerCase()} reports`}>
        {status === 'open' && 'What wallets report is shown here.'}
      </EmptyState>
    )
  const fresh = seen > 0 ? reports.filter(({ id }) => id > seen).length : 0
  return (
    <p role="status" className="text-sm text-muted">
      {isWhole
        ? `${reports.length} ${reports.length === 1 ? 'report' : 'reports'}, the weightiest first.`
        : `The ${reports.length} weightiest reports; there are more.`}
      {fresh > 0 && ` ${fresh} new since your last visit.`}
    </p>
  )
}

/** Moves the focus along the rows; from elsewhere to the first one. */
function moveFocus(list: HTMLElement | null, step: number): boolean {
  const rows = Array.from(list?.querySelectorAll<HTMLElement>('a') ?? [])
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const next = at < 0 ? rows[0] : rows[Math.min(rows.length - 1, Math.max(0, at + step))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
  return next !== undefined
}

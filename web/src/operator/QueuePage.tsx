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
import { KeysCard } from '../ui/KeysCard.tsx'
import { moveFocus, stepOf, useKeys } from '../state/keys.ts'
import { OperatorNav } from './OperatorNav.tsx'
import { type Status, useQueue, useSeen } from './queue.ts'
import { ReportRow } from './ReportRow.tsx'
import { statuses } from './labels.ts'

const names = Object.keys(statuses) as Status[]

/** Lists the reports, the most credible first. */
export function QueuePage() {
  const [search] = useSearchParams()
  const status = names.find((name) => name === search.get('status')) ?? 'open'
  const { reports, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useQueue(status)
  const seen = useSeen(reports)
  const list = useRef<HTMLUListElement>(null)
  useKeys((key) => {
    const step = stepOf(key)
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
  /** This is true when the list is complete. */
  isWhole: boolean
}

const Summary = ({ reports, seen, status, isWhole }: SummaryProps) => {
  if (reports.length === 0)
    return (
      <EmptyState icon={<Inbox className="size-7" />} title={`No ${statuses[status].toLowerCase()} reports`}>
        {status === 'open' && 'Reports appear here.'}
      </EmptyState>
    )
  const fresh = seen > 0 ? reports.filter(({ id }) => id > seen).length : 0
  return (
    <p role="status" className="text-sm text-muted">
      {isWhole
        ? `${reports.length} ${reports.length === 1 ? 'report' : 'reports'}, the most credible first.`
        : `The ${reports.length} most credible reports; there are more.`}
      {fresh > 0 && ` ${fresh} new since your last visit.`}
    </p>
  )
}

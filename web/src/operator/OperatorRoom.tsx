import { ApiError } from '@parley/sdk'
import { ShieldX } from 'lucide-react'
import { Link, Navigate, Route, Routes } from 'react-router'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { LogPage } from './LogPage.tsx'
import { QueuePage } from './QueuePage.tsx'
import { useQueue } from './queue.ts'
import { ReportPage } from './ReportPage.tsx'
import { SubjectPage } from './SubjectPage.tsx'

/** The console of operators: the queue of reports, a report, a wallet, and the log. */
export function OperatorRoom() {
  const { reports, error, refetch } = useQueue('open')
  if (error instanceof ApiError && error.code === 'forbidden') return <NoOperator />
  if (!reports)
    return (
      <Page title="Operators">
        {error ? <ReadProblem error={error} what="Reports" onRetry={() => void refetch()} /> : <Spinner />}
      </Page>
    )
  return (
    <Routes>
      <Route index element={<QueuePage />} />
      <Route path="reports/:id" element={<ReportPage />} />
      <Route path="wallets/:address" element={<SubjectPage />} />
      <Route path="log" element={<LogPage />} />
      <Route path="*" element={<Navigate to="/operator" replace />} />
    </Routes>
  )
}

function NoOperator() {
  return (
    <Page title="Operators">
      <EmptyState
        icon={<ShieldX className="size-7" />}
        title="Your wallet is no operator"
        action={
          <Link to="/" className="font-medium text-accent underline">
            To the inbox
          </Link>
        }
      >
        These pages are for operators of this service. Whoever runs it adds them. If you are one, sign in with
        that wallet.
      </EmptyState>
    </Page>
  )
}

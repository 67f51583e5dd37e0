import { ApiError } from '@parley/sdk'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { FilesPage } from './FilesPage.tsx'
import { LogPage } from './LogPage.tsx'
import { NoOperator } from './NoOperator.tsx'
import { QueuePage } from './QueuePage.tsx'
import { useQueue } from './queue.ts'
import { ReportPage } from './ReportPage.tsx'
import { StatusPage } from './StatusPage.tsx'
import { SubjectPage } from './SubjectPage.tsx'
import { TeamPage } from './TeamPage.tsx'

/** Shows the console of operators: the status, the queue of reports, a report, a wallet, blocked files, and the log. */
export const OperatorRoom = () => (useLocation().pathname === '/status' ? <StatusPage /> : <Moderation />)

function Moderation() {
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
      <Route path="files" element={<FilesPage />} />
      <Route path="team" element={<TeamPage />} />
      <Route path="log" element={<LogPage />} />
      <Route path="*" element={<Navigate to="/operator" replace />} />
    </Routes>
  )
}

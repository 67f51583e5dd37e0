import type { ReportDetail } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { WalletName } from '../names/WalletName.tsx'
import { Fact } from '../profile/Fact.tsx'
import { query } from '../service/api.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { Card } from '../ui/Card.tsx'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { shortTime } from '../ui/time.ts'
import { ActionForm } from './ActionForm.tsx'
import { EvidenceList } from './EvidenceList.tsx'
import { KeysCard } from './KeysCard.tsx'
import { useKeys } from './keys.ts'
import { OperatorNav } from './OperatorNav.tsx'
import { useOthers } from './queue.ts'
import { ReportRow } from './ReportRow.tsx'
import { SubjectCard } from './SubjectCard.tsx'
import { reasons, statuses } from './words.ts'

/** A report with what was disclosed, and what to do about it. */
export function ReportPage() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  // Each reading is a row of the log, so it is read once.
  const read = query('getReport', { id: Number(id) })
  const { data, error, refetch } = useQuery({ ...read, staleTime: 'static', enabled: /^\d+$/.test(id) })
  const report = data?.[0]
  useKeys((key) => {
    if (key !== 'Escape' && key !== 'u') return false
    void navigate('/operator')
    return true
  })
  return (
    <Page title={report ? `Report: ${reasons[report.reason]}` : 'Report'}>
      <OperatorNav />
      {error && <ReadProblem error={error} what="Reports" onRetry={() => void refetch()} />}
      {!report && !error && <Spinner />}
      {report && <Opened report={report} />}
    </Page>
  )
}

function Opened({ report }: { report: ReportDetail }) {
  const { id, kind, subject, evidence } = report
  const navigate = useNavigate()
  const others = useOthers(subject, id)
  const [together, setTogether] = useState(true)
  return (
    <>
      <Said report={report} />
      <Card title={`Evidence: ${evidence.length} ${evidence.length === 1 ? 'message' : 'messages'}`}>
        <EvidenceList evidence={evidence} />
      </Card>
      <SubjectCard subject={subject} kind={kind} />
      {others.length > 0 && (
        <Card title={`Other reports about it: ${others.length}`}>
          <ul className="grid grid-cols-1 gap-2">
            {others.map((other) => (
              <ReportRow key={other.id} report={other} />
            ))}
          </ul>
          <label className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              className="size-5 accent-accent"
              checked={together}
              onChange={(event) => setTogether(event.target.checked)}
            />
            What I decide answers these too
          </label>
        </Card>
      )}
      <ActionForm
        subject={subject}
        kind={kind}
        evidence={evidence}
        reports={[id, ...(together ? others.map((other) => other.id) : [])].slice(0, 50)}
        onDone={() => void navigate('/operator')}
      />
      <KeysCard
        keys={[
          ['a e w m b …', 'choose an action, by its letter'],
          ['Ctrl+Enter', 'decide'],
          ['Esc or u', 'back to the reports'],
        ]}
      />
    </>
  )
}

const Said = ({ report: { id, at, reporter, text, status, weight, others } }: { report: ReportDetail }) => (
  <Card>
    {text && (
      <blockquote
        className="border-s-4 border-line ps-3 text-pretty wrap-anywhere whitespace-pre-wrap"
        dir="auto"
      >
        {text}
      </blockquote>
    )}
    <dl className="grid gap-1.5 text-sm">
      <Fact name="Reported">
        <span>
          <time dateTime={at}>{shortTime(at)}</time>, number {id}
        </span>
      </Fact>
      <Fact name="By">
        {reporter === undefined ? <span>A wallet that was erased</span> : <WalletName address={reporter} />}
        {reporter !== undefined && <span className="font-address text-muted">{reporter}</span>}
      </Fact>
      <Fact name="Status">{statuses[status]}</Fact>
      <Fact name="Weight">{weight} of 10, by what the reporter has done here</Fact>
      <Fact name="Others">
        {others.reports === 0
          ? 'Nobody else in 90 days'
          : `${others.reports} more in 90 days, of ${others.reporters} ${others.reporters === 1 ? 'wallet' : 'wallets'}`}
      </Fact>
    </dl>
  </Card>
)

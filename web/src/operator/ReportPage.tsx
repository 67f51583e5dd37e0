import type { ReportDetail } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { MarkedText } from '../messages/MarkedText.tsx'
import { WalletName } from '../names/WalletName.tsx'
import { Fact } from '../profile/Fact.tsx'
import { query } from '../service/api.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { withChecksum } from '../first-run/link.ts'
import { AddressBlocks } from '../seal/AddressBlocks.tsx'
import { Card } from '../ui/Card.tsx'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { shortTime } from '../state/time.ts'
import { ActionForm } from './ActionForm.tsx'
import { EvidenceList } from './EvidenceList.tsx'
import { KeysCard } from '../ui/KeysCard.tsx'
import { useKeys } from '../state/keys.ts'
import { OperatorNav } from './OperatorNav.tsx'
import { nextOf, useOthers, useQueue } from './queue.ts'
import { ReportRow } from './ReportRow.tsx'
import { SubjectCard } from './SubjectCard.tsx'
import { TwoColumns } from './TwoColumns.tsx'
import { reasons, statuses } from './labels.ts'

/** Shows a report with what was disclosed, and what to do about it. */
export function ReportPage() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  // Each read is a row of the log, so it is read once.
  const read = query('getReport', { id: Number(id) })
  const { data, error, refetch } = useQuery({ ...read, staleTime: 'static', enabled: /^\d+$/.test(id) })
  const report = data?.[0]
  useKeys((key) => {
    if (key !== 'Escape' && key !== 'u') return false
    void navigate('/operator')
    return true
  })
  return (
    <Page title={report ? `Report: ${reasons[report.reason]}` : 'Report'} wide>
      {!report && <OperatorNav />}
      {error && <ReadProblem error={error} what="Reports" onRetry={() => void refetch()} />}
      {!report && !error && <Spinner />}
      {report && <Opened key={report.id} report={report} />}
    </Page>
  )
}

function Opened({ report }: { report: ReportDetail }) {
  const { id, kind, subject, evidence, status } = report
  const navigate = useNavigate()
  const others = useOthers(subject, id)
  const { reports: queue } = useQueue('open')
  const [together, setTogether] = useState(true)
  const isClosed = status === 'closed'
  const answered = [...(isClosed ? [] : [id]), ...(together ? others.map((other) => other.id) : [])].slice(
    0,
    50,
  )
  const toNext = () => {
    const next = nextOf(queue, id, answered)
    void navigate(next === undefined ? '/operator' : `/operator/reports/${next}`, { replace: true })
  }
  return (
    <TwoColumns
      aside={
        <ActionForm
          subject={subject}
          kind={kind}
          // A closed report cannot be answered again, and its disclosed messages can no longer be deleted.
          evidence={isClosed ? evidence.filter(({ toaddr }) => toaddr === undefined) : evidence}
          reports={answered}
          onDone={toNext}
          onUndone={() => void navigate(`/operator/reports/${id}`)}
        />
      }
    >
      <OperatorNav />
      <Said report={report} />
      <Card
        title={
          evidence.length === 0
            ? 'No messages attached'
            : `Evidence: ${evidence.length} ${evidence.length === 1 ? 'message' : 'messages'}`
        }
      >
        <EvidenceList evidence={evidence} />
      </Card>
      <SubjectCard subject={subject} kind={kind} />
      {others.length > 0 && (
        <Card title={`Other reports of ${kind === 'wallet' ? 'this wallet' : 'this chat'}: ${others.length}`}>
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
            My decision answers these too
          </label>
        </Card>
      )}
      <KeysCard
        keys={[
          ['a e w m b …', 'choose an action, by its letter'],
          ['1–9', 'fill in a reason (in the field with Alt)'],
          ['Ctrl+Enter', 'decide, and open the next report'],
          ['Esc or u', 'back to the reports'],
        ]}
      />
    </TwoColumns>
  )
}

const Said = ({ report: { id, at, reporter, text, status, weight, others } }: { report: ReportDetail }) => (
  <Card>
    {text && (
      <blockquote
        className="border-s-4 border-line ps-3 text-pretty wrap-anywhere whitespace-pre-wrap"
        dir="auto"
      >
        <MarkedText text={text} all />
      </blockquote>
    )}
    <dl className="grid gap-1.5 text-sm">
      <Fact name="Reported">
        <span>
          <time dateTime={at}>{shortTime(at)}</time>, number {id}
        </span>
      </Fact>
      <Fact name="By">
        {reporter === undefined ? (
          <span>Someone whose wallet was erased</span>
        ) : (
          <WalletName address={reporter} />
        )}
        {reporter !== undefined && <AddressBlocks address={withChecksum(reporter)} />}
      </Fact>
      <Fact name="Status">{statuses[status]}</Fact>
      <Fact name="Weight">{weight} of 10: how credible the reporter is, by what they did here</Fact>
      <Fact name="Others">
        {others.reports === 0
          ? 'Nobody else in 90 days'
          : `${others.reports} more in 90 days, of ${others.reporters} ${others.reporters === 1 ? 'wallet' : 'wallets'}`}
      </Fact>
    </dl>
  </Card>
)

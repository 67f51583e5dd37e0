import { Link, useParams, useSearchParams } from 'react-router'
import { isEvmAddress, looksLikeAddress, shortAddress } from '../seal/address.ts'
import { Card } from '../ui/Card.tsx'
import { Page } from '../ui/Page.tsx'
import { ActionForm } from './ActionForm.tsx'
import { OperatorNav } from './OperatorNav.tsx'
import { useOthers } from './queue.ts'
import { ReportRow } from './ReportRow.tsx'
import { SubjectCard } from './SubjectCard.tsx'
import { TwoColumns } from './TwoColumns.tsx'

/** Shows a wallet or chat, reported or not. */
export function SubjectPage() {
  const subject = useParams().address ?? ''
  const [search] = useSearchParams()
  const isChat = search.get('kind') === 'chat'
  const kind = looksLikeAddress(subject) && !isChat ? 'wallet' : 'chat'
  const reports = useOthers(subject)
  return (
    <Page title={`${kind === 'wallet' ? 'Wallet' : 'Chat'} ${shortAddress(subject)}`} wide>
      <TwoColumns aside={<ActionForm subject={subject} kind={kind} reports={[]} evidence={[]} />}>
        <OperatorNav />
        <SubjectCard subject={subject} kind={kind} />
        {isEvmAddress(subject) && (
          <p className="text-sm text-muted">
            An address may also be that of a contract:{' '}
            <Link
              to={isChat ? `/operator/wallets/${subject}` : `/operator/wallets/${subject}?kind=chat`}
              className="underline underline-offset-2"
            >
              {isChat ? 'decide about the wallet' : 'decide about its NFT chat'}
            </Link>
          </p>
        )}
        {reports.length > 0 && (
          <Card title={`Reports of ${kind === 'wallet' ? 'this wallet' : 'this chat'}: ${reports.length}`}>
            <ul className="grid grid-cols-1 gap-2">
              {reports.map((report) => (
                <ReportRow key={report.id} report={report} />
              ))}
            </ul>
          </Card>
        )}
      </TwoColumns>
    </Page>
  )
}

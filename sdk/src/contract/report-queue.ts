import { type Static, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Address, Id, Page, single } from './fields.ts'
import { literals } from './literals.ts'
import { Evidence, mostEvidence, mostMessages, Report } from './reports.ts'

const Status = literals(
  ['open', 'escalated', 'closed'],
  'open: nobody has decided. escalated: an operator wants another one to look. closed: it was decided',
)

/** A report as operators see it in the queue. */
export const QueuedReport = Type.Object(
  {
    id: Id,
    at: Report.properties.at,
    subject: Report.properties.subject,
    kind: literals(['wallet', 'chat'], 'what is reported'),
    reason: Report.properties.reason,
    reporter: Type.Optional({
      ...Address,
      description: 'who reported it; left out when it was erased since',
    }),
    weight: Type.Integer({
      minimum: 1,
      maximum: 10,
      description: 'how much it counts by what is known of who sent it: docs/moderation.md',
      examples: [6],
    }),
    status: Status,
    messages: Type.Integer({
      minimum: 0,
      maximum: 20,
      description: 'how many messages it names',
      examples: [1],
    }),
  },
  { $id: 'QueuedReport', description: 'A report in the queue of operators' },
)
export type QueuedReport = Static<typeof QueuedReport>

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [2] })

/** A report with what was disclosed. */
export const ReportDetail = Type.Object(
  {
    ...QueuedReport.properties,
    text: Report.properties.text,
    evidence: Type.Array(Evidence, {
      maxItems: mostMessages,
      // It counts the copies, and the notes about messages that are left out.
      'x-max-bytes': mostEvidence + 64 * 1024,
      description: 'the messages, as they were when they were reported',
    }),
    others: Type.Object(
      {
        reports: count('other reports of the same wallet or chat in 90 days'),
        reporters: count('how many wallets sent them'),
      },
      { description: 'what else was reported of it', examples: [{ reports: 2, reporters: 2 }] },
    ),
  },
  { $id: 'ReportDetail', description: 'A report with what was disclosed to the operators' },
)
export type ReportDetail = Static<typeof ReportDetail>

// Spec gap: the interface has nobody who could read reports.
export const reportQueue = endpoints({
  listReports: {
    method: 'GET',
    path: '/v1/mod/reports',
    summary: 'Reports, the heaviest first',
    access: 'operator',
    query: Type.Object({
      status: Type.Optional(Status),
      subject: Type.Optional({ ...Address, description: 'only of this wallet or chat' }),
      sort: Type.Optional(
        literals(['weight', 'age'], 'weight: those that count most first. age: the oldest first'),
      ),
      limit: Page.properties.limit,
      after: Type.Optional(
        Type.Integer({
          ...Id,
          description: 'only reports after this one in that order: the last that you have',
        }),
      ),
    }),
    response: Type.Array(QueuedReport),
    pages: true,
  },
  getReport: {
    method: 'GET',
    path: '/v1/mod/reports/{id}',
    summary: 'A report with its evidence',
    description: 'That the operator has looked at it is written into the log. 404 for one about the caller.',
    access: 'operator',
    response: single(ReportDetail),
  },
})

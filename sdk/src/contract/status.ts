import { type Static, type TSchema, Type } from 'typebox'
import { endpoints } from './endpoint.ts'
import { Made, Timestamp } from './fields.ts'
import { literals } from './literals.ts'

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] })
const measure = (description: string, example: number) =>
  Type.Number({ minimum: 0, description, examples: [example] })
const text = (description: string, example: string) => Made(64, description, [example])

/** The maximum number of rows of each list in the status: there are fewer minutes, limits, codes and tasks. */
export const mostStatusRows = 100
const rows = <Row extends TSchema>(row: Row, description: string) =>
  Type.Array(row, { maxItems: mostStatusRows, description })

const Check = Type.Object(
  {
    name: text('what was looked at', 'Database'),
    state: literals(
      ['ok', 'late', 'down'],
      'ok: nothing to do. late: it works, but look at it. down: it does not work',
    ),
    detail: Made(512, 'what was found, in a sentence', ['Answers after 2 ms.']),
  },
  { $id: 'StatusCheck', description: 'A part of the service, and how it is' },
)
export type StatusCheck = Static<typeof Check>

const StatusMinute = Type.Object(
  {
    at: { ...Timestamp, description: 'when it began' },
    requests: count('requests that were answered, without event streams', 1200),
    errors: count('answers with 500 and above', 0),
    refused: count('refusals of a limit', 3),
    p50_ms: measure('median duration of the requests in milliseconds; 0 without requests', 5),
    p99_ms: measure('duration of the slowest of 100 requests (99th percentile) in milliseconds', 25),
    streams: count('event streams that were open at its end', 40),
    cpu_percent: measure('processor time of all processes, 100 for one core', 12.5),
    memory_bytes: count('resident memory of all processes at its end', 180_000_000),
  },
  { $id: 'StatusMinute', description: 'What the instances of this machine did in a minute' },
)
export type StatusMinute = Static<typeof StatusMinute>

const Count = Type.Object(
  { name: text('the name of the limit, or the code of the error', 'read'), count: count('how often', 3) },
  { $id: 'StatusCount', description: 'How often something was' },
)

const StatusJob = Type.Object(
  {
    task: text('what the jobs do', 'send-dm-mail'),
    due: count('how many are due and were not tried yet', 0),
    failed: count('how many have failed and will be tried again', 1),
    oldest: Type.Optional({ ...Timestamp, description: 'since when the oldest is due' }),
  },
  { $id: 'StatusJob', description: 'The jobs of a task that wait' },
)

export const ServiceStatus = Type.Object(
  {
    version: text('the release', '0.1.0'),
    at: Timestamp,
    processes: count('how many processes of this machine have answered', 1),
    checks: rows(Check, 'the parts of the service, what needs attention first'),
    minutes: rows(StatusMinute, 'the last hour, the oldest minute first; the last one is not over'),
    limits: rows(Count, 'refusals of the last hour by limit, the most frequent first'),
    problems: rows(Count, 'errors of the last hour by code, the most frequent first'),
    jobs: rows(StatusJob, 'jobs that wait, by task; empty when none waits'),
  },
  { $id: 'ServiceStatus', description: 'How the service is' },
)
export type ServiceStatus = Static<typeof ServiceStatus>

// Spec gap: the interface has nothing by which an administrator sees how a service is.
export const status = endpoints({
  getStatus: {
    method: 'GET',
    path: '/v1/operator/status',
    summary: 'What is healthy, what lags, and what was refused',
    description:
      'Numbers of the instances of one machine and of their database; no wallets and no texts. Numbers of an hour begin again when a process starts.',
    access: 'operator',
    response: ServiceStatus,
  },
})

import { ApiError, type ServiceStatus, type StatusCheck } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { query } from '../service/api.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { Card } from '../ui/Card.tsx'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { clock } from '../state/time.ts'
import { NoOperator } from './NoOperator.tsx'
import { OperatorNav } from './OperatorNav.tsx'
import { Plot } from './Plot.tsx'

/** Shows the state of the service: what is healthy, what lags, what was refused and why. */
export function StatusPage() {
  const { data, error, refetch } = useQuery({ ...query('getStatus'), refetchInterval: 15_000 })
  if (error instanceof ApiError && error.code === 'forbidden') return <NoOperator />
  return (
    <Page title="Status">
      <OperatorNav />
      {error && <ReadProblem error={error} what="Numbers" onRetry={() => void refetch()} />}
      {!data && !error && <Spinner />}
      {data && <Shown status={data} />}
    </Page>
  )
}

function Shown({ status }: { status: ServiceStatus }) {
  const { version, at, processes, checks, limits, problems, jobs } = status
  const bad = checks.filter(({ state }) => state !== 'ok').length
  return (
    <>
      <Card
        title={bad === 0 ? 'All is well' : `${bad} ${bad === 1 ? 'thing needs' : 'things need'} attention`}
      >
        <ul className="grid grid-cols-1 gap-3">
          {checks.map((one) => (
            <Check key={one.name} check={one} />
          ))}
        </ul>
      </Card>
      <LastHour status={status} />
      <Rows
        title="Refused by limits"
        none="No limit has refused anything in the last hour."
        names={['Limit', 'Times']}
      >
        {limits.map(({ name, count }) => [name, count])}
      </Rows>
      <Rows
        title="Errors"
        none="No request has failed in the last hour."
        names={['Code', 'Times']}
        linkOf={(code) => `/docs/errors#${code}`}
      >
        {problems.map(({ name, count }) => [name, count])}
      </Rows>
      <Rows title="Queued jobs" none="None." names={['Task', 'Due', 'Failed']}>
        {jobs.map(({ task, due, failed }) => [task, due, failed])}
      </Rows>
      <p className="text-sm text-pretty text-muted">
        Parley {version}, {processes} {processes === 1 ? 'process' : 'processes'} of one machine, as of{' '}
        <time dateTime={at}>{clock(at)}</time>. A restart begins a new hour. For longer times, and for several
        machines, see{' '}
        <a className="text-accent underline" href="/docs/operations#metrics">
          metrics
        </a>
        .
      </p>
    </>
  )
}

const icons = { ok: CircleCheck, late: CircleAlert, down: CircleX }
const tones = { ok: 'text-accent', late: 'text-warn', down: 'text-danger' }
const words = { ok: 'Well', late: 'Check', down: 'Failing' }

function Check({ check: { name, state, detail } }: { check: StatusCheck }) {
  const Icon = icons[state]
  return (
    <li className="flex gap-3">
      <Icon className={`mt-0.5 size-5 shrink-0 ${tones[state]}`} role="img" aria-label={words[state]} />
      <div className="min-w-0">
        <p className="font-medium">{name}</p>
        <p className="text-sm text-pretty wrap-anywhere text-muted">{detail}</p>
      </div>
    </li>
  )
}

const whole = (value: number) => Math.round(value).toLocaleString()

const LastHour = ({ status: { minutes } }: { status: ServiceStatus }) => {
  const of = (read: (minute: ServiceStatus['minutes'][number]) => number) => minutes.map(read)
  return (
    <Card title="The last hour, by minute">
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Plot
          title="Requests"
          unit="a minute"
          lines={[
            { name: 'answered', values: of(({ requests }) => requests), tone: 'accent' },
            { name: 'refused', values: of(({ refused }) => refused), tone: 'warn' },
            { name: 'failed', values: of(({ errors }) => errors), tone: 'danger' },
          ]}
        />
        <Plot
          title="Response time"
          unit="ms"
          lines={[
            { name: 'median', values: of((minute) => minute.p50_ms), tone: 'accent' },
            { name: '99 of 100', values: of((minute) => minute.p99_ms), tone: 'warn' },
          ]}
        />
        <Plot
          title="Live event streams"
          unit="open"
          lines={[{ name: 'open', values: of(({ streams }) => streams), tone: 'accent' }]}
        />
        <Plot
          title="Processor"
          unit="%"
          format={whole}
          lines={[{ name: 'of one core', values: of((minute) => minute.cpu_percent), tone: 'accent' }]}
        />
        <Plot
          title="Memory"
          unit="MiB"
          format={whole}
          lines={[
            { name: 'resident', values: of((minute) => minute.memory_bytes / 2 ** 20), tone: 'accent' },
          ]}
        />
      </div>
    </Card>
  )
}

interface RowsProps {
  title: string
  /** This text is shown when there is no row. */
  none: string
  names: string[]
  linkOf?: (name: string) => string
  children: (readonly [string, ...number[]])[]
}

/** Shows a table whose first column names what the numbers are about. */
const Rows = ({ title, none, names, linkOf, children }: RowsProps): ReactNode => (
  <Card title={title}>
    {children.length === 0 ? (
      <p className="text-sm text-muted">{none}</p>
    ) : (
      <table className="w-full text-sm">
        <thead>
          <tr className="text-start text-muted">
            {names.map((name, i) => (
              <th
                key={name}
                scope="col"
                className={`pb-1 font-medium ${i === 0 ? 'text-start' : 'text-end'}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {children.map(([name, ...numbers]) => (
            <tr key={name} className="border-t border-line">
              <th scope="row" className="py-1.5 text-start font-normal wrap-anywhere">
                {linkOf ? (
                  <a className="text-accent underline" href={linkOf(name)}>
                    {name}
                  </a>
                ) : (
                  name
                )}
              </th>
              {numbers.map((count, i) => (
                <td key={names[i + 1]} className="py-1.5 text-end tabular-nums">
                  {count.toLocaleString()}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </Card>
)

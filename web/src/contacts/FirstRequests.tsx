import { requestsPage, useRequests } from '../inbox/requests.ts'
import { RequestRows, useDeciding } from './RequestRows.tsx'

/** Shows the requests in place of an empty inbox: a new user has nothing else. */
export function FirstRequests() {
  const { data: rows = [] } = useRequests()
  const deciding = useDeciding(rows)
  if (rows.length === 0) return null
  return (
    <section
      aria-label="People who want to write to you"
      className="scroll-calm min-h-0 overflow-y-auto px-2"
    >
      <p role="status" className="px-2 pt-2 pb-1 text-sm text-pretty text-muted">
        {rows.length === 1
          ? '1 person wants to write to you'
          : `${rows.length}${rows.length === requestsPage ? ' or more' : ''} people want to write to you`}
      </p>
      <RequestRows rows={rows} {...deciding} />
    </section>
  )
}

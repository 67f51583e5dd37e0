import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { client, query } from '../service/api.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { copy } from '../state/notice.ts'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { Entries } from './Entries.tsx'
import { OperatorNav } from './OperatorNav.tsx'

const limit = 50

/** Shows what operators did, and how to prove that nothing of it was changed. */
export function LogPage() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['listModerationLog'],
    queryFn: ({ pageParam }) =>
      client.listModerationLog({
        query: { limit, ...(pageParam !== undefined && { before: pageParam }) },
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < limit ? undefined : page.at(-1)!.id),
  })
  return (
    <Page title="Log of operators">
      <OperatorNav />
      <End />
      <Card title="What operators did">
        {error && <ReadProblem error={error} what="The log" onRetry={() => void refetch()} />}
        {!data && !error && <Spinner />}
        {data && <Entries entries={data.pages.flat()} withSubjects />}
        {hasNextPage && (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older
          </Button>
        )}
      </Card>
    </Page>
  )
}

/** Shows the end of the chain, which somebody may note. */
function End() {
  const { data } = useQuery({ ...query('countModeration'), staleTime: 0 })
  if (!data) return null
  const { log_id: id, log_hash: hash } = data
  return (
    <Card title="The end of the log">
      <p className="text-sm text-pretty text-muted">
        Each entry includes the previous entry’s hash. Save this hash elsewhere now and then: it proves that
        entries 1–{id} were never changed.
      </p>
      {hash && (
        <div className="flex items-center gap-2">
          <code className="min-w-0 flex-1 text-sm wrap-anywhere">{hash}</code>
          <IconButton label="Copy the hash" onClick={() => void copy(hash, 'Hash copied')}>
            <Copy className="size-4" />
          </IconButton>
        </div>
      )}
      <p className="text-sm text-pretty text-muted">
        To verify, run this on the server:{' '}
        <code className="wrap-anywhere text-ink">npm run parley -- audit {hash && '<hash>'}</code>
      </p>
    </Card>
  )
}

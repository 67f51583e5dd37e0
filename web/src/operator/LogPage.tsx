import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { client, query } from '../service/api.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { copy } from '../ui/notice.ts'
import { Page } from '../ui/Page.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { Entries } from './Entries.tsx'
import { OperatorNav } from './OperatorNav.tsx'

const limit = 50

/** What operators did, and how to show that nothing of it was changed. */
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
        {error && <ReadProblem error={error} what="The log’s rows" onRetry={() => void refetch()} />}
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

/** The end of the chain, which somebody may note. */
function End() {
  const { data } = useQuery({ ...query('countModeration'), staleTime: 0 })
  if (!data) return null
  const { log_id: id, log_hash: hash } = data
  return (
    <Card title="The end of the log">
      <p className="text-sm text-pretty text-muted">
        Each row holds the hash of the row before. Note this one now and then, outside of this service: with
        it anybody can show later that nothing up to row {id} was changed or taken out.
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
        To verify, on the machine of the service:{' '}
        <code className="wrap-anywhere text-ink">npm run parley -- audit {hash && '<hash>'}</code>
      </p>
    </Card>
  )
}

import { useInfiniteQuery } from '@tanstack/react-query'
import { WalletName } from '../names/WalletName.tsx'
import { client } from '../service/api.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { shortTime } from '../state/time.ts'
import { logged, placeLogged, untilWords } from './labels.ts'

const limit = 20

/** Lists what the owner and the moderators did, the latest first. */
export function ChatLogCard({ nftaddr }: { nftaddr: string }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['listChatLog', nftaddr],
    queryFn: ({ pageParam: before }) =>
      client.listChatLog({ nftaddr, query: { limit, ...(before !== undefined && { before }) } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < limit ? undefined : page.at(-1)!.id),
    staleTime: 0,
  })
  const rows = data?.pages.flat() ?? []
  return (
    <Card title="Activity">
      {error && !data && <ReadProblem error={error} what="The log" onRetry={() => void refetch()} />}
      {data && rows.length === 0 && (
        <p className="text-sm text-muted">Nothing yet. Entries are kept for a year.</p>
      )}
      <ol className="grid grid-cols-1 gap-3" aria-label="Activity">
        {rows.map(({ id, at, actor, action, subject, until, reason, room }) => (
          <li key={id} className="grid gap-0.5 border-s-2 border-line ps-3 text-sm">
            <p className="wrap-anywhere">
              <span className="font-medium">
                {logged(action)} {subject && subject !== actor && <WalletName address={subject} />}
                {until && ` ${untilWords(until)}`}
                {placeLogged(action, room)}
              </span>{' '}
              <span className="text-muted">
                by {actor ? <WalletName address={actor} /> : 'an erased wallet'},{' '}
                <time dateTime={at}>{shortTime(at)}</time>
              </span>
            </p>
            {reason && (
              <p className="text-pretty wrap-anywhere whitespace-pre-wrap text-muted" dir="auto">
                {reason}
              </p>
            )}
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button className="justify-self-start" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older
        </Button>
      )}
    </Card>
  )
}

import type { Client } from '@parley/sdk'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { Button } from '../ui/Button.tsx'
import { shortTime } from '../state/time.ts'

type Delivery = Awaited<ReturnType<Client['listDeliveries']>>[number]

const limit = 20

/** Lists what was sent to a webhook, the latest first. */
export function Deliveries({ id }: { id: string }) {
  const [failed, setFailed] = useState(false)
  const read = useInfiniteQuery({
    queryKey: ['listDeliveries', id, failed],
    queryFn: ({ pageParam }) =>
      client.listDeliveries({
        session: id,
        query: { limit, failed, ...(pageParam !== undefined && { before: pageParam }) },
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.length < limit ? undefined : page.at(-1)!.id),
    staleTime: 0,
    refetchInterval: 5_000,
  })
  const refetch = () => void read.refetch()
  const test = useMutation({ mutationFn: () => client.testWebhook({ session: id }), onSettled: refetch })
  const again = useMutation({
    mutationFn: (delivery: number) => client.replayDelivery({ session: id, id: delivery }),
    onSettled: refetch,
  })
  const deliveries = read.data?.pages.flat() ?? []
  const problem = read.error ?? test.error ?? again.error
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-5">
        <Button busy={test.isPending} onClick={() => test.mutate()}>
          Send a test
        </Button>
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            className="size-5 accent-accent"
            checked={failed}
            onChange={({ target }) => setFailed(target.checked)}
          />
          Only what failed
        </label>
      </div>
      {problem && <p className="text-danger">{describeError(problem)}</p>}
      {deliveries.length === 0 && read.data && <p className="text-muted">Nothing yet.</p>}
      <ul className="grid grid-cols-1 gap-1" aria-label="Deliveries">
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onAgain={() => again.mutate(delivery.id)} />
        ))}
      </ul>
      {read.hasNextPage && (
        <Button
          variant="quiet"
          className="justify-self-start"
          busy={read.isFetchingNextPage}
          onClick={() => void read.fetchNextPage()}
        >
          Show earlier ones
        </Button>
      )}
    </div>
  )
}

function DeliveryRow({ delivery, onAgain }: { delivery: Delivery; onAgain: () => void }) {
  const { event, chat, at, status, attempts, answered, is_done: isDone } = delivery
  const isTaken = status !== undefined && status >= 200 && status < 300
  return (
    <li className="flex items-center gap-2">
      <span className="min-w-0 flex-1 wrap-anywhere">
        {event}
        {chat && ` in ${chat}`}, {shortTime(at)}:{' '}
        <span className={isDone && isTaken ? 'text-muted' : 'text-warn'}>
          {status === undefined ? 'waits' : status === 0 ? 'no answer' : `answered ${status}`}
          {attempts > 1 && ` after ${attempts} tries`}
          {answered && `, its text ${answered === 'waiting' ? 'waits' : answered}`}
        </span>
      </span>
      {event !== 'test' && isDone && (
        <Button variant="quiet" onClick={onAgain}>
          Send again
        </Button>
      )}
    </li>
  )
}

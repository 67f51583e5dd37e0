import type { InboxItem } from '@parley/sdk'
import { useMutation } from '@tanstack/react-query'
import { UserRoundCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { peerOf, readInboxAgain } from '../inbox/cache.ts'
import { InboxSkeleton } from '../inbox/InboxSkeleton.tsx'
import { Preview } from '../inbox/Preview.tsx'
import { useLookAlike } from '../inbox/look-alikes.ts'
import { useAliases } from '../names/aliases.ts'
import { cache, client, describeError } from '../service/api.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { useMe } from '../service/session.ts'
import { closeNotifications } from '../service/worker.ts'
import { shortAddress } from '../ui/address.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useMinute } from '../ui/minute.ts'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../ui/notice.ts'
import { Page } from '../ui/Page.tsx'
import { relativeTime } from '../ui/time.ts'
import { useRequests } from '../inbox/requests.ts'

const portion = 50

/** Messages of wallets about which the reader has not decided. Nothing here is told to those who sent them. */
export function RequestsPage() {
  const [limit, setLimit] = useState(portion)
  const { data, error, isPlaceholderData, refetch } = useRequests(limit)
  const [asking, setAsking] = useState<'accept' | 'clear'>()
  useEffect(() => closeNotifications('/requests'), [])
  return (
    <Page title="Requests">
      <p className="text-sm text-pretty text-muted">
        Wallets that you have not written to yet. They do not see that you look at this. Open a request to
        accept it, to ignore it, or to block who sent it.
      </p>
      {error && !data && <ReadProblem error={error} what="Requests" onRetry={() => void refetch()} />}
      {!data && !error && <InboxSkeleton />}
      {data?.length === 0 && (
        <EmptyState icon={<UserRoundCheck className="size-7" />} title="No requests">
          When a wallet writes to you for the first time, it waits here.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setAsking('accept')}>Accept all</Button>
            <Button onClick={() => setAsking('clear')}>Clear all</Button>
          </div>
          <ul className="-mx-2 grid grid-cols-1" aria-label="Requests">
            {data.map((row) => (
              <RequestRow key={row.id} row={row} />
            ))}
          </ul>
          {data.length === limit && (
            <div>
              <Button busy={isPlaceholderData} onClick={() => setLimit(limit + portion)}>
                Show more
              </Button>
            </div>
          )}
        </>
      )}
      {asking && <DecideAll what={asking} onClose={() => setAsking(undefined)} />}
    </Page>
  )
}

/** With the seal, not with the picture that a stranger has chosen. */
function RequestRow({ row }: { row: InboxItem }) {
  const me = useMe()
  const now = useMinute()
  const peer = peerOf(row, me)
  const alias = useAliases().get(peer)
  const other = useLookAlike(peer)
  const name = alias ?? row.name
  return (
    <li>
      <Link
        to={`/dm/${encodeURIComponent(peer)}`}
        className="flex min-h-18 items-center gap-3 rounded-xl px-2 py-1.5 -outline-offset-2 hover:bg-hover"
      >
        <Avatar seed={peer} size="large" />
        <span className="grid min-w-0 flex-1 grid-cols-1 gap-0.5">
          <span className="flex items-baseline gap-2">
            <span className="min-w-0 truncate font-medium">
              <bdi>{name || shortAddress(peer)}</bdi>
            </span>
            {name && (
              <span className="font-address min-w-0 flex-1 truncate text-xs text-muted">
                {shortAddress(peer)}
              </span>
            )}
            <time dateTime={row.timestamp} className="ms-auto shrink-0 text-xs text-muted">
              {relativeTime(row.timestamp, now)}
            </time>
          </span>
          {other && <span className="text-sm font-semibold text-danger">This is not {other.title}</span>}
          <span className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate text-sm text-muted">
              <bdi>
                <Preview row={row} />
              </bdi>
            </span>
            <Badge count={row.unread} quiet />
          </span>
        </span>
      </Link>
    </li>
  )
}

const questions = {
  accept: {
    title: 'Accept all requests?',
    text: 'All who have written to you come into your inbox. When you open what they wrote, they see that you have read it.',
    button: 'Accept all',
    done: 'They are in your inbox now',
  },
  clear: {
    title: 'Clear all requests?',
    text: 'You ignore all who wait here. They are not told. What they wrote is kept: the settings list whom you ignore.',
    button: 'Clear all',
    done: 'All requests are cleared',
  },
}

function DecideAll({ what, onClose }: { what: 'accept' | 'clear'; onClose: () => void }) {
  const { title, text, button, done } = questions[what]
  const decide = useMutation({
    mutationFn: async () => {
      // The service decides about a thousand at a time.
      while ((await client[what === 'accept' ? 'acceptRequests' : 'clearRequests']()).left > 0);
    },
    onSuccess: () => {
      onClose()
      showNotice(done)
    },
    onSettled: () => {
      for (const queryKey of [['getContact'], ['listContacts']]) void cache.invalidateQueries({ queryKey })
      readInboxAgain()
    },
  })
  return (
    <Modal title={title} onClose={onClose}>
      <p className="text-pretty text-muted">{text}</p>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {decide.error && describeError(decide.error)}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" busy={decide.isPending} onClick={() => decide.mutate()}>
          {button}
        </Button>
      </div>
    </Modal>
  )
}

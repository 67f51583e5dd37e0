import { useMutation } from '@tanstack/react-query'
import { Check, Ellipsis, UserRoundCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { readInboxAgain } from '../inbox/cache.ts'
import { InboxSkeleton } from '../inbox/InboxSkeleton.tsx'
import { requestsPage, useRequests, useVisitRequests } from '../inbox/requests.ts'
import { cache, client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { ReadProblem } from '../service/ReadProblem.tsx'
import { closeNotifications } from '../service/worker.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { moveFocus, stepOf, useKeys } from '../state/keys.ts'
import { KeysCard } from '../ui/KeysCard.tsx'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../state/notice.ts'
import { Page } from '../ui/Page.tsx'
import type { Decision } from './decide.ts'
import { focusedPeer, RequestRows, useDeciding } from './RequestRows.tsx'

const keys: Record<string, Decision> = { a: 'accept', i: 'ignore', b: 'block' }

/**
 * Shows the messages of wallets that the reader has not decided about. The senders are not notified of anything here.
 */
export function RequestsPage() {
  const [limit, setLimit] = useState(requestsPage)
  const { data, error, isPlaceholderData, refetch } = useRequests({ limit })
  const [asking, setAsking] = useState<'accept' | 'ignore'>()
  const deciding = useDeciding(data)
  useVisitRequests(data)
  useEffect(() => closeNotifications('/requests'), [])
  useKeys((key) => {
    const list = deciding.list.current
    const step = stepOf(key)
    if (step !== undefined) return moveFocus(list, step)
    const [decision, peer] = [keys[key], focusedPeer(list)]
    if (!decision || peer === undefined) return false
    void deciding.act(peer, decision)
    return true
  })
  return (
    <Page title="Requests">
      <p className="text-sm text-pretty text-muted">
        New people who wrote to you. They can’t see that you’ve read it until you accept.
      </p>
      {error && !data && <ReadProblem error={error} what="Requests" onRetry={() => void refetch()} />}
      {!data && !error && <InboxSkeleton />}
      {data?.length === 0 && (
        <EmptyState icon={<UserRoundCheck className="size-7" />} title="No requests">
          First messages from new people appear here.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <>
          <div className="flex items-center gap-2">
            <Button onClick={() => setAsking('ignore')}>Ignore all</Button>
            {/* This button accepts everybody, so it is not beside the other one. */}
            <Menu
              align="start"
              trigger={
                <IconButton label="More about all requests">
                  <Ellipsis className="size-5" />
                </IconButton>
              }
            >
              <MenuItem icon={<Check />} onSelect={() => setAsking('accept')}>
                Accept all
              </MenuItem>
            </Menu>
          </div>
          <div className="-mx-2">
            <RequestRows rows={data} {...deciding} />
          </div>
          {data.length === limit && (
            <div>
              <Button busy={isPlaceholderData} onClick={() => setLimit(limit + requestsPage)}>
                Show more
              </Button>
            </div>
          )}
          <div className="pointer-coarse:hidden">
            <KeysCard
              keys={[
                ['j', 'next'],
                ['k', 'previous'],
                ['a', 'accept'],
                ['i', 'ignore'],
                ['b', 'block'],
                ['Enter', 'open'],
              ]}
            />
          </div>
        </>
      )}
      {asking && (
        <DecideAll
          what={asking}
          whom={!data || data.length === limit ? 'Everyone here' : allOf(data.length)}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Page>
  )
}

const allOf = (count: number) => (count === 1 ? 'This person' : `All ${count} people`)

const questions = {
  accept: {
    title: 'Accept all requests?',
    text: (whom: string) => `${whom} can message you. They see when you’ve read their messages.`,
    button: 'Accept all',
    done: 'Accepted all requests',
  },
  ignore: {
    title: 'Ignore all requests?',
    text: (whom: string) => `${whom} will be ignored. They won’t know. You can undo this in the settings.`,
    button: 'Ignore all',
    done: 'Ignored all requests',
  },
}

interface DecideAllProps {
  what: 'accept' | 'ignore'
  /** These are the people, as the subject of a sentence. */
  whom: string
  onClose: () => void
}

function DecideAll({ what, whom, onClose }: DecideAllProps) {
  const { title, text, button, done } = questions[what]
  const decide = useMutation({
    mutationFn: async () => {
      // The service decides about a thousand requests at a time.
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
      <p className="text-pretty text-muted">{text(whom)}</p>
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

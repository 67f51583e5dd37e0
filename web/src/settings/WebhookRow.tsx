import type { Webhook } from '@parley/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client, describeError, query } from '../service/api.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Modal } from '../ui/Modal.tsx'
import { SwitchField } from '../ui/SwitchField.tsx'
import { shortTime } from '../ui/time.ts'

/** A webhook: whether it is on, a test, and what it was told. */
export function WebhookRow({ hook, onChange }: { hook: Webhook; onChange: () => void }) {
  const { id, url, events, is_on: isOn, failing_since: failing } = hook
  const [asking, setAsking] = useState(false)
  const [isShown, setShown] = useState(false)
  const turn = useMutation({
    mutationFn: (on: boolean) => client.changeWebhook({ session: id, body: { url, events, is_on: on } }),
    onSettled: onChange,
  })
  const remove = useMutation({ mutationFn: () => client.deleteWebhook({ session: id }), onSettled: onChange })
  const problem = turn.error ?? remove.error
  return (
    <li className="grid grid-cols-1 gap-2 rounded-xl border border-line p-3">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <SwitchField
            label={url}
            hint={failing ? `No delivery has succeeded since ${shortTime(failing)}.` : events.join(', ')}
            checked={isOn}
            disabled={turn.isPending}
            onChange={(on) => turn.mutate(on)}
          />
        </div>
        <IconButton label={`Delete the webhook ${url}`} onClick={() => setAsking(true)}>
          <Trash2 className="size-4" />
        </IconButton>
      </div>
      {problem && <p className="text-sm text-danger">{describeError(problem)}</p>}
      {isShown ? (
        <Deliveries id={id} />
      ) : (
        <Button variant="quiet" className="justify-self-start" onClick={() => setShown(true)}>
          What it was told
        </Button>
      )}
      {asking && (
        <Modal title="Delete this webhook?" onClose={() => setAsking(false)}>
          <p className="wrap-anywhere">{url} is told nothing more, and its list of deliveries goes.</p>
          <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            Delete it
          </Button>
        </Modal>
      )}
    </li>
  )
}

function Deliveries({ id }: { id: string }) {
  const read = useQuery({ ...query('listDeliveries', { session: id }), staleTime: 0, refetchInterval: 5_000 })
  const refetch = () => void read.refetch()
  const test = useMutation({ mutationFn: () => client.testWebhook({ session: id }), onSettled: refetch })
  const again = useMutation({
    mutationFn: (delivery: number) => client.replayDelivery({ session: id, id: delivery }),
    onSettled: refetch,
  })
  const { data: deliveries = [] } = read
  const problem = read.error ?? test.error ?? again.error
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      <Button className="justify-self-start" busy={test.isPending} onClick={() => test.mutate()}>
        Send a test
      </Button>
      {problem && <p className="text-danger">{describeError(problem)}</p>}
      {deliveries.length === 0 && read.data && <p className="text-muted">Nothing yet.</p>}
      <ul className="grid grid-cols-1 gap-1" aria-label="Deliveries">
        {deliveries.map(({ id: delivery, event, at, status, attempts, is_done: isDone }) => (
          <li key={delivery} className="flex items-center gap-2">
            <span className="min-w-0 flex-1">
              {event}, {shortTime(at)}:{' '}
              <span
                className={
                  isDone && status !== undefined && status < 300 && status > 0 ? 'text-muted' : 'text-warn'
                }
              >
                {status === undefined ? 'waits' : status === 0 ? 'no answer' : `answered ${status}`}
                {attempts > 1 && ` after ${attempts} tries`}
              </span>
            </span>
            {event !== 'test' && isDone && (
              <Button variant="quiet" onClick={() => again.mutate(delivery)}>
                Send again
              </Button>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

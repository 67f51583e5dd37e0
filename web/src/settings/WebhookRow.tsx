import type { Webhook } from '@parley/sdk'
import { useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Modal } from '../ui/Modal.tsx'
import { SwitchField } from '../ui/SwitchField.tsx'
import { shortTime } from '../state/time.ts'
import { Deliveries } from './Deliveries.tsx'
import { aboutOf } from './NewWebhook.tsx'
import { RotateWebhook } from './RotateWebhook.tsx'

/** Shows a webhook: whether it is on, a test, and its deliveries. */
export function WebhookRow({ hook, onChange }: { hook: Webhook; onChange: () => void }) {
  const { id, url, events, chat, peer, is_on: isOn, failing_since: failing } = hook
  const [asking, setAsking] = useState<'delete' | 'rotate'>()
  const [isShown, setShown] = useState(false)
  const turn = useMutation({
    mutationFn: (on: boolean) =>
      client.changeWebhook({
        session: id,
        body: { url, events, ...(chat && { chat }), ...(peer && { peer }), is_on: on },
      }),
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
            hint={failing ? `No delivery has succeeded since ${shortTime(failing)}.` : aboutOf(hook)}
            checked={isOn}
            busy={turn.isPending}
            onChange={(on) => turn.mutate(on)}
          />
        </div>
        <IconButton label={`Delete the webhook ${url}`} onClick={() => setAsking('delete')}>
          <Trash2 className="size-4" />
        </IconButton>
      </div>
      {problem && <p className="text-sm text-danger">{describeError(problem)}</p>}
      {isShown ? (
        <Deliveries id={id} />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button variant="quiet" onClick={() => setShown(true)}>
            Deliveries
          </Button>
          <Button variant="quiet" onClick={() => setAsking('rotate')}>
            Change the secret
          </Button>
        </div>
      )}
      {asking === 'rotate' && (
        <RotateWebhook id={id} onRotated={onChange} onClose={() => setAsking(undefined)} />
      )}
      {asking === 'delete' && (
        <Modal title="Delete this webhook?" onClose={() => setAsking(undefined)}>
          <p className="wrap-anywhere">{url} gets no further events. Its list of deliveries is deleted.</p>
          <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            Delete it
          </Button>
        </Modal>
      )}
    </li>
  )
}

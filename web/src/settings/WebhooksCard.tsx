import type { Webhook } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cache, describeError, query } from '../service/api.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { copy } from '../ui/notice.ts'
import { shortTime } from '../ui/time.ts'
import { NewWebhook } from './NewWebhook.tsx'
import { WebhookRow } from './WebhookRow.tsx'

const readAgain = () => void cache.invalidateQueries({ queryKey: ['listWebhooks'] })

/** Addresses of programs that are told of what comes. Few people have one, so it opens when asked for. */
export function WebhooksCard() {
  const { data: hooks = [], error } = useQuery(query('listWebhooks'))
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<Webhook>()
  return (
    <Card title="Webhooks">
      <p className="text-sm text-pretty text-muted">
        For programs: an address of yours is told when something comes, without texts.{' '}
        <a className="text-accent underline" href="/docs/webhooks">
          How to receive one
        </a>
      </p>
      {error && <p className="text-sm text-danger">{describeError(error)}</p>}
      {made?.secret && (
        <div role="status" className="grid grid-cols-1 gap-2 rounded-xl bg-warn-soft p-3 text-sm text-warn">
          <p className="text-pretty">
            Copy the secret now: it is not shown again. With it your program verifies what it gets.
            {made.rotates_until && ` The secret before works until ${shortTime(made.rotates_until)} too.`}
          </p>
          <code className="wrap-anywhere">{made.secret}</code>
          <Button className="justify-self-start" onClick={() => void copy(made.secret!, 'Secret copied')}>
            Copy the secret
          </Button>
        </div>
      )}
      {hooks.length > 0 && (
        <ul className="grid grid-cols-1 gap-3" aria-label="Webhooks">
          {hooks.map((hook) => (
            <WebhookRow key={hook.id} hook={hook} onChange={readAgain} onRotated={setMade} />
          ))}
        </ul>
      )}
      {isOpen ? (
        <NewWebhook
          onMade={(hook) => {
            setMade(hook)
            setOpen(false)
            readAgain()
          }}
        />
      ) : (
        hooks.length < 5 && (
          <Button className="justify-self-start" onClick={() => setOpen(true)}>
            Add a webhook
          </Button>
        )
      )}
    </Card>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cache, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { NewWebhook } from './NewWebhook.tsx'
import { WebhookRow } from './WebhookRow.tsx'

const readAgain = () => void cache.invalidateQueries({ queryKey: ['listWebhooks'] })

/** Lists addresses of programs that receive what comes. Few people have one, so it opens on demand. */
export function WebhooksCard() {
  const { data: hooks = [], error } = useQuery(query('listWebhooks'))
  const [isOpen, setOpen] = useState(false)
  return (
    <Card title="Webhooks">
      <p className="text-sm text-pretty text-muted">
        Notify your server when something happens. Texts are not included.{' '}
        <a className="text-accent underline" href="/docs/webhooks">
          How to receive one
        </a>
      </p>
      {error && <p className="text-sm text-danger">{describeError(error)}</p>}
      {hooks.length > 0 && (
        <ul className="grid grid-cols-1 gap-3" aria-label="Webhooks">
          {hooks.map((hook) => (
            <WebhookRow key={hook.id} hook={hook} onChange={readAgain} />
          ))}
        </ul>
      )}
      <Button
        className="justify-self-start"
        whyDisabled={hooks.length >= 5 && 'You can have five webhooks. Delete one to add another.'}
        onClick={() => setOpen(true)}
      >
        Add a webhook
      </Button>
      {isOpen && <NewWebhook onMade={readAgain} onClose={() => setOpen(false)} />}
    </Card>
  )
}

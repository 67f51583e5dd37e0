import type { Webhook } from '@parley/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cache, client, describeError, query } from '../service/api.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { copy } from '../ui/notice.ts'
import { TextField } from '../ui/TextField.tsx'
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
        For programs: an address of yours is told when a message comes, without its text.{' '}
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
      {made?.secret && (
        <div role="status" className="grid gap-2 rounded-xl bg-warn-soft p-3 text-sm text-warn">
          <p className="text-pretty">
            Copy the secret now: it is not shown again. With it your program verifies what it gets.
          </p>
          <code className="wrap-anywhere">{made.secret}</code>
          <Button className="justify-self-start" onClick={() => void copy(made.secret!, 'Secret copied')}>
            Copy the secret
          </Button>
        </div>
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

const kinds = [
  { event: 'message.direct', label: 'Messages of wallets that you have accepted' },
  { event: 'request.new', label: 'First messages of strangers' },
] as const

function NewWebhook({ onMade }: { onMade: (hook: Webhook) => void }) {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<Webhook['events']>(['message.direct'])
  const create = useMutation({
    mutationFn: () => client.createWebhook({ body: { url: url.trim(), events } }),
    onSuccess: ([hook]) => onMade(hook!),
  })
  return (
    <form
      className="grid grid-cols-1 gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <TextField
        label="Address"
        type="url"
        required
        placeholder="https://example.org/parley"
        maxLength={2048}
        value={url}
        error={create.error ? describeError(create.error) : undefined}
        onChange={({ target }) => setUrl(target.value)}
      />
      <fieldset className="grid gap-1">
        <legend className="mb-1 text-sm font-medium">It is told of</legend>
        {kinds.map(({ event, label }) => (
          <label key={event} className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              className="size-5 accent-accent"
              checked={events.includes(event)}
              onChange={({ target }) =>
                setEvents(target.checked ? [...events, event] : events.filter((one) => one !== event))
              }
            />
            {label}
          </label>
        ))}
      </fieldset>
      <Button
        type="submit"
        variant="primary"
        className="justify-self-start"
        busy={create.isPending}
        disabled={url.trim() === '' || events.length === 0}
      >
        Add it
      </Button>
    </form>
  )
}

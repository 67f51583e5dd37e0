import type { Webhook } from '@parley/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, describeError } from '../service/api.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'

type Event = Webhook['events'][number]

const kinds: { event: Event; label: string; of: ('all' | 'chat' | 'peer')[] }[] = [
  { event: 'message.direct', label: 'Messages of wallets that you have accepted', of: ['all', 'peer'] },
  { event: 'request.new', label: 'First messages of strangers', of: ['all', 'peer'] },
  { event: 'message.group', label: 'Posts in chats that you have joined', of: ['all', 'chat'] },
  { event: 'message.deleted', label: 'Messages and posts that are deleted', of: ['all', 'chat', 'peer'] },
  { event: 'member.joined', label: 'New members of chats that you own or moderate', of: ['all', 'chat'] },
  { event: 'command', label: 'Commands of a bot', of: ['all', 'chat'] },
]

const scopes = { all: 'Everything', chat: 'One chat', peer: 'One wallet' }
type Scope = keyof typeof scopes

/** What a webhook is of, in words. */
export const aboutOf = ({ events, chat, peer }: Webhook): string =>
  [events.join(', '), chat && `in ${chat}`, peer && `of ${peer}`].filter(Boolean).join(' ')

export function NewWebhook({ onMade }: { onMade: (hook: Webhook) => void }) {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<Event[]>(['message.direct'])
  const [scope, setScope] = useState<Scope>('all')
  const [only, setOnly] = useState('')
  const offered = kinds.filter(({ of }) => of.includes(scope))
  const chosen = offered.flatMap(({ event }) => (events.includes(event) ? [event] : []))
  const create = useMutation({
    mutationFn: () =>
      client.createWebhook({
        body: { url: url.trim(), events: chosen, ...(scope !== 'all' && { [scope]: only.trim() }) },
      }),
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
      <fieldset className="grid grid-cols-1 gap-1">
        <legend className="mb-1 text-sm font-medium">About</legend>
        <div className="flex flex-wrap gap-x-5">
          {(Object.entries(scopes) as [Scope, string][]).map(([value, label]) => (
            <label key={value} className="flex min-h-11 items-center gap-3">
              <input
                type="radio"
                name="webhook-scope"
                className="size-5 accent-accent"
                checked={scope === value}
                onChange={() => setScope(value)}
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      {scope !== 'all' && (
        <TextField
          label={scope === 'chat' ? 'Chat' : 'Wallet'}
          required
          placeholder={scope === 'chat' ? 'gardeners, or an NFT contract' : '0x…'}
          maxLength={128}
          value={only}
          onChange={({ target }) => setOnly(target.value)}
        />
      )}
      <fieldset className="grid grid-cols-1 gap-1">
        <legend className="mb-1 text-sm font-medium">It is told of</legend>
        {offered.map(({ event, label }) => (
          <label key={event} className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-accent"
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
        whyDisabled={
          url.trim() === ''
            ? 'Enter the address of your server.'
            : scope !== 'all' && only.trim() === ''
              ? `Enter the ${scope === 'chat' ? 'chat' : 'wallet'}.`
              : chosen.length === 0 && 'Choose at least one kind of event.'
        }
      >
        Add it
      </Button>
    </form>
  )
}

import type { Webhook } from '@parley/sdk'
import { useState } from 'react'
import { client } from '../service/api.ts'
import { Problem } from '../service/Problem.tsx'
import { Button } from '../ui/Button.tsx'
import { MadeOnce, type Making } from '../ui/MadeOnce.tsx'
import { TextField } from '../ui/TextField.tsx'
import { shortTime } from '../state/time.ts'

type Event = Webhook['events'][number]

const kinds: { event: Event; label: string; of: ('all' | 'chat' | 'peer')[] }[] = [
  { event: 'message.direct', label: 'Messages from contacts', of: ['all', 'peer'] },
  { event: 'request.new', label: 'First messages from new people', of: ['all', 'peer'] },
  { event: 'message.group', label: 'Posts in chats you joined', of: ['all', 'chat'] },
  { event: 'message.edited', label: 'Edited messages and posts', of: ['all', 'chat', 'peer'] },
  { event: 'message.deleted', label: 'Deleted messages and posts', of: ['all', 'chat', 'peer'] },
  { event: 'member.joined', label: 'New members of chats you moderate', of: ['all', 'chat'] },
  { event: 'command', label: 'Commands of a bot', of: ['all', 'chat'] },
]

const scopes = { all: 'Everything', chat: 'One chat', peer: 'One wallet' }
type Scope = keyof typeof scopes

/** Returns in words what a webhook is about. */
export const aboutOf = ({ events, chat, peer }: Webhook): string =>
  [events.join(', '), chat && `in ${chat}`, peer && `of ${peer}`].filter(Boolean).join(' ')

interface Asked {
  url: string
  events: Event[]
  chat?: string
  peer?: string
}

async function make(body: Asked): Promise<Webhook> {
  const [hook] = await client.createWebhook({ body })
  return hook!
}

/** Lets the user enter the address and what is sent there, and shows the secret once. */
export const NewWebhook = ({ onMade, onClose }: { onMade: () => void; onClose: () => void }) => (
  <MadeOnce title="Add a webhook" make={make} show={shownSecret} onMade={onMade} onClose={onClose}>
    {(form) => <WebhookForm {...form} />}
  </MadeOnce>
)

/** Returns the secret of a webhook, as it is shown once. */
export const shownSecret = ({ secret, rotates_until: until }: Webhook) => ({
  title: 'Copy the secret',
  what: 'secret',
  secret: secret!,
  text: `You won’t see it again. Your program verifies events with it.${until ? ` The old secret works until ${shortTime(until)}.` : ''}`,
})

function WebhookForm({ busy, error, onMake }: Making<Asked>) {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<Event[]>(['message.direct'])
  const [scope, setScope] = useState<Scope>('all')
  const [only, setOnly] = useState('')
  const offered = kinds.filter(({ of }) => of.includes(scope))
  const chosen = offered.flatMap(({ event }) => (events.includes(event) ? [event] : []))
  return (
    <form
      className="grid grid-cols-1 gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onMake({ url: url.trim(), events: chosen, ...(scope !== 'all' && { [scope]: only.trim() }) })
      }}
    >
      <TextField
        label="Address"
        type="url"
        required
        placeholder="https://example.org/parley"
        maxLength={2048}
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <fieldset className="grid grid-cols-1 gap-1">
        <legend className="mb-1 text-sm font-medium">Scope</legend>
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
        <legend className="mb-1 text-sm font-medium">Events</legend>
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
      <Problem error={error} />
      <Button
        type="submit"
        variant="primary"
        className="justify-self-end"
        busy={busy}
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

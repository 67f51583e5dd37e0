import type { NotificationRules } from '@parley/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cache, client, describeError, query } from '../service/api.ts'
import { Choices } from '../ui/Choices.tsx'
import { SwitchField } from '../ui/SwitchField.tsx'
import { TextField } from '../ui/TextField.tsx'

const previews = [
  { value: 'none', label: 'Nothing' },
  { value: 'name', label: 'Who wrote' },
  { value: 'text', label: 'The text as well' },
] as const

const everyDay = [1, 2, 3, 4, 5, 6, 7]
const night = { days: everyDay, from: '22:00', to: '07:00' }

/** What is told, what a notification shows, and quiet hours. */
export function PushRules({ hasMail }: { hasMail: boolean }) {
  const read = query('getNotificationRules')
  const { data } = useQuery(read)
  const [chosen, setChosen] = useState<NotificationRules>()
  const rules = chosen ?? data
  const change = useMutation({
    mutationFn: (body: NotificationRules) => client.setNotificationRules({ body }),
    onSuccess: (stored) => cache.setQueryData(read.queryKey, stored),
    // Shown as it is stored.
    onError: () => setChosen(undefined),
  })
  if (!rules) return null
  const set = (some: Partial<NotificationRules>) => {
    const next = { ...rules, ...some }
    setChosen(next)
    change.mutate(next)
  }
  const [quiet] = rules.quiet
  const setQuiet = (some: Partial<typeof night> | undefined) =>
    set({
      quiet: some === undefined ? [] : [{ ...(quiet ?? night), ...some }, ...rules.quiet.slice(1)],
      tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    })
  return (
    <div className="grid grid-cols-1 gap-3 border-t border-line pt-3">
      <SwitchField
        label="Messages"
        hint="Of wallets that you have accepted."
        checked={rules.push.dm}
        onChange={(dm) => set({ push: { ...rules.push, dm } })}
      />
      <SwitchField
        label="Requests"
        hint="When somebody you do not know writes for the first time. Never their text."
        checked={rules.push.requests}
        onChange={(requests) => set({ push: { ...rules.push, requests } })}
      />
      <SwitchField
        label="Mentions"
        hint="When a post in a chat that you have joined has @ and your name or address."
        checked={rules.push.mentions ?? true}
        onChange={(mentions) => set({ push: { ...rules.push, mentions } })}
      />
      <SwitchField
        label="Chats"
        hint="Each post in the chats in whose menu you have chosen all messages."
        checked={rules.push.chats ?? true}
        onChange={(chats) => set({ push: { ...rules.push, chats } })}
      />
      <Choices
        legend="A notification shows"
        choices={[...previews]}
        chosen={rules.preview}
        onChange={(preview) => set({ preview })}
      />
      <SwitchField
        label="Quiet hours"
        hint={`Nothing is notified${hasMail ? ', also by mail' : ''}. Their end tells once how much has come.`}
        checked={quiet !== undefined}
        onChange={(on) => setQuiet(on ? {} : undefined)}
      />
      {quiet && (
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label="From"
            type="time"
            value={quiet.from}
            onChange={({ target }) => target.value && setQuiet({ from: target.value })}
          />
          <TextField
            label="To"
            type="time"
            value={quiet.to}
            onChange={({ target }) => target.value && setQuiet({ to: target.value })}
          />
        </div>
      )}
      <p role="alert" className="text-sm text-danger empty:hidden">
        {change.error && describeError(change.error)}
      </p>
    </div>
  )
}

import type { NotificationRules } from '@parley/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cache, client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { Choices } from '../ui/Choices.tsx'
import { SwitchField } from '../ui/SwitchField.tsx'
import { TextField } from '../ui/TextField.tsx'

const previews = [
  { value: 'none', label: 'Off' },
  { value: 'name', label: 'Name' },
  { value: 'text', label: 'Name and text' },
] as const

const everyDay = [1, 2, 3, 4, 5, 6, 7]
const night = { days: everyDay, from: '22:00', to: '07:00' }

interface Props {
  /** This is true when quiet hours hold for mails too. */
  hasMail: boolean
  /** This says why nothing can be chosen now. */
  whyDisabled: string | false
}

/** Chooses which messages notify, what a notification shows, and quiet hours. */
export function PushRules({ hasMail, whyDisabled }: Props) {
  const read = query('getNotificationRules')
  const { data } = useQuery(read)
  const [chosen, setChosen] = useState<NotificationRules>()
  const rules = chosen ?? data
  const change = useMutation({
    mutationFn: (body: NotificationRules) => client.setNotificationRules({ body }),
    onSuccess: (stored) => cache.setQueryData(read.queryKey, stored),
    // The stored choice is shown again.
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
        whyDisabled={whyDisabled}
        hint="From contacts."
        checked={rules.push.dm}
        onChange={(dm) => set({ push: { ...rules.push, dm } })}
      />
      <SwitchField
        label="Requests"
        whyDisabled={whyDisabled}
        hint="From new people. Never shows the text."
        checked={rules.push.requests}
        onChange={(requests) => set({ push: { ...rules.push, requests } })}
      />
      <SwitchField
        label="Mentions"
        whyDisabled={whyDisabled}
        hint="When someone mentions you in a chat you joined."
        checked={rules.push.mentions ?? true}
        onChange={(mentions) => set({ push: { ...rules.push, mentions } })}
      />
      <SwitchField
        label="Chats"
        whyDisabled={whyDisabled}
        hint="Every message in the chats you choose (in the menu of a chat)."
        checked={rules.push.chats ?? true}
        onChange={(chats) => set({ push: { ...rules.push, chats } })}
      />
      <SwitchField
        label="Reactions"
        whyDisabled={whyDisabled}
        hint="When someone reacts to your message. Without a sound."
        checked={rules.push.reactions ?? false}
        onChange={(reactions) => set({ push: { ...rules.push, reactions } })}
      />
      <Choices
        legend="Preview"
        whyDisabled={whyDisabled}
        choices={[...previews]}
        chosen={rules.preview}
        onChange={(preview) => set({ preview })}
      />
      <SwitchField
        label="Quiet hours"
        // Quiet hours hold for mails too.
        whyDisabled={!hasMail && whyDisabled}
        hint={`No alerts${hasMail ? ' or mails' : ''}. You get one summary afterwards.`}
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

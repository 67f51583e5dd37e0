import type { SettingsUpdate } from '@parley/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { BadgeCheck, MailQuestion } from 'lucide-react'
import { cache, client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useServiceInfo } from '../service/info.ts'
import { useUnsaved } from '../service/unsaved.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { showNotice } from '../state/notice.ts'
import { SwitchField } from '../ui/SwitchField.tsx'
import { TextField } from '../ui/TextField.tsx'
import { StoredMailAddress } from './StoredMailAddress.tsx'

/** Shows settings of mails about unread messages, if the service sends any; else the data it stores for them. */
export function NotificationsCard({ address: walletaddr }: { address: string }) {
  const info = useServiceInfo()
  if (!info) return null
  return info.mail ? <MailSettings walletaddr={walletaddr} /> : <StoredMailAddress walletaddr={walletaddr} />
}

/** Shows the address, its confirmation, and which mails to send. */
function MailSettings({ walletaddr }: { walletaddr: string }) {
  const read = query('getSettings', { address: walletaddr })
  // The link of the mail is opened elsewhere, so the settings are read again on return.
  const { data, error } = useQuery({ ...read, refetchOnWindowFocus: 'always' })
  const [typed, setTyped] = useUnsaved<string>('mail address')
  const settings = data?.[0]
  const stored = settings?.email ?? ''
  const email = typed ?? stored
  const change = useMutation({
    mutationFn: (update: Omit<SettingsUpdate, 'walletaddr'>) =>
      client.updateSettings({ body: { walletaddr, ...update } }),
    onSuccess: (answer) => cache.setQueryData(read.queryKey, answer),
  })
  const problem = change.error ? describeError(change.error) : error ? describeError(error) : undefined
  const save = () => {
    const address = email.trim()
    change.mutate(
      { email: address || null, ...(address && { signupsite: location.origin }) },
      {
        onSuccess: () => {
          setTyped(undefined)
          showNotice(address ? 'Saved. Open the link we sent you.' : 'Address removed')
        },
      },
    )
  }
  const verified = settings?.verified === 'true'
  return (
    <Card title="Notifications by mail">
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          className="min-w-48 flex-1"
          label="E-mail address"
          type="email"
          autoComplete="email"
          placeholder="you@example.org"
          value={email}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button
          type="submit"
          busy={change.isPending || !data}
          whyDisabled={
            email.trim() === stored && (stored ? 'This is the address already.' : 'Enter an address.')
          }
        >
          Save
        </Button>
      </form>
      {stored && (
        <p className="flex items-center gap-2 text-sm">
          {verified ? (
            <>
              <BadgeCheck className="size-4 text-accent" aria-hidden="true" /> Confirmed
            </>
          ) : (
            <>
              <MailQuestion className="size-4 text-warn" aria-hidden="true" />
              <span className="text-warn">
                Not confirmed yet. Open the link in the mail that was sent to {stored}.
              </span>
            </>
          )}
        </p>
      )}
      <SwitchField
        label="A mail for direct messages"
        hint="At most one every 5 minutes. Never includes the message."
        checked={settings?.notifydm === 'true'}
        busy={!data || change.isPending}
        onChange={(on) => change.mutate({ notifydm: on ? 'true' : 'false' })}
      />
      <SwitchField
        label="A daily summary"
        hint="Once a day, when something is unread."
        checked={settings?.notify24 === 'true'}
        busy={!data || change.isPending}
        onChange={(on) => change.mutate({ notify24: on ? 'true' : 'false' })}
      />
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem}
      </p>
    </Card>
  )
}

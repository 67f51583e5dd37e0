import type { Client } from '@parley/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { HandOverButton } from '../hand-over/HandOverButton.tsx'
import { cache, client, query } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { useServiceInfo } from '../service/info.ts'
import { type PushState, turnOffPush, turnOnPush, usePush } from '../service/push.ts'
import { onWorkerMessage } from '../service/worker.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { SwitchField } from '../ui/SwitchField.tsx'
import { shortTime } from '../state/time.ts'
import { PushRules } from './PushRules.tsx'

/** This says why there are none here; it is empty when they can be turned on. */
const obstacles: Record<PushState, string> = {
  unsupported:
    'This browser can’t show notifications here. Try another browser, or open the page over https.',
  'needs-install': 'On iPhones and iPads only Parley on the Home Screen can notify you: see below.',
  denied: 'Notifications are blocked. Allow them in your browser’s site settings (beside the address).',
  off: '',
  on: '',
}

/** Shows notifications on this device and others, and when they come. */
export function PushCard({ address: walletaddr }: { address: string }) {
  const state = usePush(walletaddr)
  const info = useServiceInfo()
  const devices = useQuery(query('listPushSubscriptions'))
  const change = useMutation({
    mutationFn: (on: boolean) => (on ? turnOnPush(walletaddr) : turnOffPush()),
    onSettled: () => devices.refetch(),
  })
  const problem = change.error ?? devices.error
  if (!info) return null
  const obstacle = info.push ? obstacles[state] : `${location.host} doesn’t offer push notifications.`
  // A choice would have no effect.
  const idle =
    obstacle !== '' &&
    !info.telegram &&
    devices.data?.length === 0 &&
    'Nothing notifies you yet: turn notifications on in a browser first.'
  return (
    <Card title="Notifications on your devices">
      <SwitchField
        label="Notify me here"
        hint="Get alerts when Parley isn’t open."
        checked={state === 'on'}
        busy={change.isPending}
        whyDisabled={obstacle}
        onChange={(on) => change.mutate(on)}
      />
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem && describeError(problem)}
      </p>
      {info.push && (state === 'needs-install' || state === 'unsupported') && <Elsewhere state={state} />}
      <Devices devices={devices.data ?? []} onChange={() => void devices.refetch()} />
      {(info.push || info.telegram) && <PushRules hasMail={info.mail} whyDisabled={idle} />}
    </Card>
  )
}

/** Where notifications are possible there is no wallet: this browser signs that one in. */
const Elsewhere = ({ state }: { state: PushState }) => (
  <div className="grid grid-cols-1 gap-3 rounded-xl bg-sunken p-4">
    <p className="text-sm text-pretty">
      {state === 'needs-install'
        ? `Open ${location.host} in Safari, tap Share and “Add to Home Screen”, and open Parley from there. It needs no wallet: choose “Sign in by a link” there, and make the link here.`
        : 'Another browser can notify you, without your wallet: make a link here, and open it there.'}
    </p>
    <HandOverButton />
  </div>
)

type Device = Awaited<ReturnType<Client['listPushSubscriptions']>>[number]

function Devices({ devices, onChange }: { devices: Device[]; onChange: () => void }) {
  const remove = useMutation({
    mutationFn: (id: string) => client.deletePushSubscription({ session: id }),
    onSettled: onChange,
  })
  if (devices.length === 0) return null
  return (
    <>
      <h3 className="text-sm font-medium">Devices</h3>
      <ul className="grid grid-cols-1 gap-1" aria-label="Devices with notifications">
        {devices.map(({ id, label, host, created_at: since }) => (
          <li key={id} className="flex items-center gap-2">
            <span className="min-w-0 flex-1 text-sm">
              <span className="block truncate font-medium">{label || host}</span>
              <span className="text-muted">since {shortTime(since)}</span>
            </span>
            <IconButton label={`Remove ${label || host}`} onClick={() => remove.mutate(id)}>
              <Trash2 className="size-4" />
            </IconButton>
          </li>
        ))}
      </ul>
      <Test onDone={onChange} />
    </>
  )
}

/** Sends a test, and says what happened at each hop. */
function Test({ onDone }: { onDone: () => void }) {
  const [arrived, setArrived] = useState(false)
  const test = useMutation({
    mutationFn: () => {
      setArrived(false)
      return client.testPush()
    },
    onSettled: () => {
      void cache.invalidateQueries({ queryKey: ['listPushSubscriptions'] })
      onDone()
    },
  })
  useEffect(() => onWorkerMessage('pushed', ({ kind }) => kind === 'test' && setArrived(true)), [])
  return (
    <div className="grid justify-items-start gap-2">
      <Button busy={test.isPending} onClick={() => test.mutate()}>
        Send me a test
      </Button>
      <div role="status" className="grid gap-1 text-sm">
        {test.error && <Hop isWell={false}>{describeError(test.error)}</Hop>}
        {test.data?.map(({ id, label, host, status, detail }) => (
          <Hop key={id} isWell={status >= 200 && status < 300}>
            {label || host}: {detail} ({host}: {status === 0 ? 'no response' : status})
          </Hop>
        ))}
        {arrived && <Hop isWell>Test received</Hop>}
      </div>
    </div>
  )
}

function Hop({ isWell, children }: { isWell: boolean; children: React.ReactNode }) {
  const Icon = isWell ? CircleCheck : CircleAlert
  return (
    <p className="flex gap-2 text-pretty wrap-anywhere">
      <Icon className={`mt-0.5 size-4 shrink-0 ${isWell ? 'text-accent' : 'text-warn'}`} aria-hidden="true" />
      <span>{children}</span>
    </p>
  )
}

import { Lock } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { longDate } from '../state/time.ts'
import { Button } from '../ui/Button.tsx'
import type { DeviceSearch } from './device.ts'
import { Note } from './Note.tsx'

/** Says how far encrypted messages are searched: by this device, because the service can't read them. */
export function DeviceNote({
  device: { state, backTo },
  onFurther,
}: {
  device: DeviceSearch
  onFurther: () => Promise<void>
}) {
  const [isBusy, setBusy] = useState(false)
  if (state === 'none') return null
  if (state === 'locked')
    return (
      <Note
        icon={<Lock />}
        action={
          <Link
            to="/settings/encryption"
            className="min-h-6 font-semibold text-accent underline pointer-coarse:min-h-11"
          >
            Unlock
          </Link>
        }
      >
        Encrypted messages aren’t searched.
      </Note>
    )
  const to = backTo === undefined ? '' : ` back to ${longDate(new Date(backTo).toISOString())}`
  const further = async () => {
    setBusy(true)
    await onFurther().catch(() => {})
    setBusy(false)
  }
  return (
    <Note
      icon={<Lock />}
      action={
        (state === 'paused' || state === 'working') && (
          <Button variant="quiet" busy={isBusy} onClick={() => void further()}>
            Search further
          </Button>
        )
      }
    >
      {state === 'whole'
        ? 'Encrypted messages are searched on this device.'
        : `Searched encrypted messages${to}.`}
      {state === 'full' && ' This device keeps words of no older ones.'}
    </Note>
  )
}

import { RefreshCw, WifiOff } from 'lucide-react'
import { useReadAt } from '../offline/store-responses.ts'
import { clockOrTime } from '../state/time.ts'
import { useLiveState } from './live.ts'
import { useOnline } from '../state/online.ts'
import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { useOutdated } from './update.ts'

/** Says that there is no connection, and that messages are sent later. */
export function ConnectionBanner() {
  const online = useOnline()
  const live = useLiveState()
  const readAt = useReadAt()
  if (online && live !== 'broken') return null
  return (
    <Banner tone="warn" icon={<WifiOff className="size-4 shrink-0" aria-hidden="true" />}>
      {online ? 'Reconnecting…' : 'You’re offline.'}
      {readAt && ` Last updated ${clockOrTime(readAt)}.`} Messages will be sent when you’re back.
    </Banner>
  )
}

/** Says that the service has a newer client than this page. */
export function UpdateBanner() {
  if (!useOutdated()) return null
  return (
    <Banner
      icon={<RefreshCw className="size-4 shrink-0" aria-hidden="true" />}
      action={<Button onClick={() => location.reload()}>Reload</Button>}
    >
      Parley has been updated. Your drafts are kept.
    </Banner>
  )
}

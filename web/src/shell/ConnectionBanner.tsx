import { WifiOff } from 'lucide-react'
import { useReadAt } from '../kept/keep.ts'
import { clockOrTime } from '../ui/time.ts'
import { useLiveState } from './live.ts'
import { useOnline } from '../ui/online.ts'
import { Banner } from '../ui/Banner.tsx'

/** Shown while there is no connection: messages are sent later. */
export function ConnectionBanner() {
  const online = useOnline()
  const live = useLiveState()
  const readAt = useReadAt()
  if (online && live !== 'broken') return null
  return (
    <Banner tone="warn" icon={<WifiOff className="size-4 shrink-0" aria-hidden="true" />}>
      {online ? 'Connecting again…' : 'You are offline.'}
      {readAt && ` What you see was read at ${clockOrTime(readAt)}.`} What you write is sent as soon as the
      connection is back.
    </Banner>
  )
}

import { DeviceSearchLine } from '../search/DeviceSearchLine.tsx'
import { useDeviceProgress } from '../search/progress.ts'
import { Card } from '../ui/Card.tsx'

/** Shows how far the encrypted messages are searched on this device, and pauses that. */
export function DeviceSearchCard() {
  const { state, count } = useDeviceProgress()
  if (state === 'none' || state === 'locked') return null
  return (
    <Card title="Search in encrypted messages">
      <p className="text-pretty text-muted">
        {location.host} can’t read them, so this browser searches them. Signing out deletes what it has stored
        for that. {count === 1 ? 'One message is' : `${count.toLocaleString()} messages are`} searched.
      </p>
      <DeviceSearchLine />
    </Card>
  )
}

import { NewKey } from './NewKey.tsx'
import type { Keyring } from './keyring.ts'
import { Unlock } from './Unlock.tsx'

/** Opens the current key on this device, or makes a new one. */
export function LockedKeys({ ring }: { ring: Extract<Keyring, { state: 'locked' }> }) {
  return (
    <>
      <p className="text-pretty text-muted">
        {ring.pairs.length > 0
          ? 'A new key was made on another device. Messages for the older ones can be read here; unlock the new one to read and write what is encrypted now.'
          : 'Your encrypted messages are locked on this device.'}
      </p>
      <Unlock ring={ring} />
      <NewKey label="Set up anew" />
    </>
  )
}

import { Lock } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { useAccount } from '../../service/session.ts'
import { serviceHost } from '../state/host.ts'
import { type Keyring, useKeyring } from '../state/keyring.ts'
import { OpenKeys } from './OpenKeys.tsx'
import { setUp } from '../state/setup.ts'
import { useAttempt } from './use-attempt.ts'
import { NewKey } from './NewKey.tsx'
import { Unlock } from './Unlock.tsx'

/** Sets up client-side encryption, unlocks it on this device, switches it on and off. */
export function EncryptionCard() {
  const ring = useKeyring()
  const isContract = useAccount()?.isContract
  const { busy, problem, attempt } = useAttempt()
  return (
    <Card>
      <div className="grid gap-3">
        {ring.state === 'unknown' && <p className="h-11 animate-pulse rounded-xl bg-sunken" />}
        {ring.state === 'unavailable' && (
          <p className="text-muted">This browser can’t encrypt here. Open this site over https.</p>
        )}
        {ring.state === 'elsewhere' && (
          <p className="text-pretty text-muted">
            You’re on {location.host}, but this service is at {serviceHost}. Open it there to use encryption.
          </p>
        )}
        {ring.state === 'outdated' && (
          <p className="text-pretty">
            {isContract
              ? 'Your smart wallet no longer confirms the key that it has signed, as when its owners change, so others don’t accept it. Turn on encryption again. Your recovery code still opens older messages.'
              : `Your key belongs to another site, not ${serviceHost}, so others don’t accept it. Turn on encryption again. Older encrypted messages stay unreadable.`}
          </p>
        )}
        {(ring.state === 'off' || ring.state === 'outdated') && (
          <>
            <p className="text-pretty text-muted">
              Make chats private: only you and the other person can read them, not even {serviceHost}. Takes
              one signature.{' '}
              {isContract
                ? 'You get a recovery code, which opens your messages on other devices: your smart wallet can’t.'
                : `Anyone with that signature can read your messages and write as you, so only ever sign it on ${serviceHost}.`}
            </p>
            <Button variant="primary" busy={busy} onClick={() => void attempt(setUp)}>
              <Lock className="size-4" aria-hidden="true" /> Turn on encryption
            </Button>
          </>
        )}
        {ring.state === 'locked' && <LockedKeys ring={ring} />}
        {ring.state === 'open' && <OpenKeys ring={ring} />}
        <p role="alert" className="text-sm text-danger empty:hidden">
          {problem}
        </p>
      </div>
    </Card>
  )
}

/** Opens the current key on this device, or makes a new one. */
function LockedKeys({ ring }: { ring: Extract<Keyring, { state: 'locked' }> }) {
  return (
    <>
      <p className="text-pretty text-muted">
        {ring.pairs.length > 0
          ? 'You made a new key on another device. Unlock it to read and write new encrypted messages. Older ones can be read here.'
          : 'Your encrypted messages are locked on this device.'}
      </p>
      <Unlock ring={ring} />
      <NewKey label="Start over" />
    </>
  )
}

import { Lock } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { serviceHost } from './host.ts'
import { useKeyring } from './keyring.ts'
import { LockedKeys } from './LockedKeys.tsx'
import { OpenKeys } from './OpenKeys.tsx'
import { setUp } from './setup.ts'
import { useAttempt } from './use-attempt.ts'

/** Sets up client-side encryption, unlocks it on this device, switches it on and off. */
export function EncryptionCard() {
  const ring = useKeyring()
  const { busy, problem, attempt } = useAttempt()
  useEffect(() => {
    // A link in conversations leads here.
    if (ring.state !== 'unknown' && location.hash === '#encryption')
      document.getElementById('encryption')?.scrollIntoView({ block: 'center' })
  }, [ring.state])
  return (
    <Card title="Encryption">
      <div id="encryption" className="grid gap-3">
        {ring.state === 'unknown' && <p className="h-11 animate-pulse rounded-xl bg-sunken" />}
        {ring.state === 'unavailable' && (
          <p className="text-muted">
            The browser offers no cryptography here. Open this site over https to use encryption.
          </p>
        )}
        {ring.state === 'elsewhere' && (
          <p className="text-pretty text-muted">
            This page is at {location.host}, and its service says that it is at {serviceHost}. Open it there
            to use encryption.
          </p>
        )}
        {ring.state === 'outdated' && (
          <p className="text-pretty">
            Your key was not signed for {serviceHost}, so others do not accept it. Turn encryption on anew;
            older encrypted messages stay unreadable.
          </p>
        )}
        {(ring.state === 'off' || ring.state === 'outdated') && (
          <>
            <p className="text-pretty text-muted">
              Direct messages with people who have it on too can then be read by you two alone, not by the
              service. Your wallet signs once: a text that names {serviceHost} and your wallet. Whoever has
              that signature can read your messages and write as you, so sign it nowhere else.
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

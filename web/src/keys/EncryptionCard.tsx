import { Lock, LockOpen } from 'lucide-react'
import { useEffect, useState } from 'react'
import { explain } from '../sign-in/explain.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { SwitchField } from '../ui/SwitchField.tsx'
import { serviceHost } from './host.ts'
import { RecoveryCode } from './RecoveryCode.tsx'
import { forgetKey, setUp, switchEncryption, unlock, useKeyring } from './keyring.ts'
import { UnlockWithCode } from './UnlockWithCode.tsx'

/** Sets up client-side encryption, unlocks it on this device, switches it on and off. */
export function EncryptionCard() {
  const ring = useKeyring()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [code, setCode] = useState<{ code: string; done: () => void }>()
  useEffect(() => {
    // A link in conversations leads here.
    if (ring.state !== 'unknown' && location.hash === '#encryption')
      document.getElementById('encryption')?.scrollIntoView({ block: 'center' })
  }, [ring.state])
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    await work().catch((error: unknown) => setProblem(explain(error)))
    setBusy(false)
  }
  const askToKeep = (fresh: string) =>
    new Promise<void>((resolve) =>
      setCode({
        code: fresh,
        done: () => {
          setCode(undefined)
          resolve()
        },
      }),
    )
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
              service. Your wallet signs three times: once for the key, twice for its backup. Each text names{' '}
              {serviceHost} and your wallet: sign no other.
            </p>
            <Button variant="primary" busy={busy} onClick={() => void attempt(() => setUp(askToKeep))}>
              <Lock className="size-4" aria-hidden="true" /> Turn on encryption
            </Button>
          </>
        )}
        {ring.state === 'locked' && (
          <>
            <p className="text-pretty text-muted">
              Your encrypted messages are locked on this device.{' '}
              {ring.backup.kind === 'signature' && 'The same wallet opens them with a signature.'}
            </p>
            {ring.backup.kind === 'signature' ? (
              <Button variant="primary" busy={busy} onClick={() => void attempt(unlock)}>
                <LockOpen className="size-4" aria-hidden="true" /> Unlock with your wallet
              </Button>
            ) : (
              <UnlockWithCode busy={busy} onUnlock={(typed) => void attempt(() => unlock(typed))} />
            )}
            <Button variant="quiet" disabled={busy} onClick={() => void attempt(forgetKey)}>
              Set up anew; older encrypted messages stay unreadable
            </Button>
          </>
        )}
        {ring.state === 'open' && (
          <>
            <SwitchField
              label="Encrypt direct messages"
              hint="With everybody who has it on too. Older messages stay readable."
              checked={ring.on}
              disabled={busy}
              onChange={(on) => void attempt(() => switchEncryption(on))}
            />
            <p className="text-sm wrap-anywhere text-muted">
              Your key: <code>{ring.signed.key}</code>
            </p>
          </>
        )}
        <p role="alert" className="text-sm text-danger empty:hidden">
          {problem}
        </p>
      </div>
      {code && <RecoveryCode code={code.code} onKept={code.done} />}
    </Card>
  )
}

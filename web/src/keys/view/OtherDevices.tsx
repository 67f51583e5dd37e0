import { useState } from 'react'
import { useAccount } from '../../service/session.ts'
import { Button } from '../../ui/Button.tsx'
import type { Keyring } from '../state/keyring.ts'
import { RecoveryCode } from './RecoveryCode.tsx'
import { checkWallet } from '../state/setup.ts'
import { useAttempt } from './use-attempt.ts'

/** Says what opens the messages on another device, and how to make sure of it. */
export function OtherDevices({ ring }: { ring: Extract<Keyring, { state: 'open' }> }) {
  const { busy, problem, attempt } = useAttempt()
  const isContract = useAccount()?.isContract
  const { steady } = ring.backup
  const isSaved = ring.backup.keys.at(-1)!.locks.some(({ kind, unseen }) => kind === 'code' && !unseen)
  // Nothing else opens the messages of a smart wallet when this browser is gone.
  const [showing, setShowing] = useState(isContract === true && !isSaved)
  return (
    <>
      <p className="text-pretty text-muted">
        {steady
          ? 'Your wallet can unlock these messages on other devices.'
          : isSaved
            ? 'Your recovery code can unlock these messages on other devices.'
            : steady === undefined
              ? 'Your wallet can unlock these messages on other devices if it signs the same way each time. Most do. Check that it works, or save a recovery code.'
              : 'Your wallet can’t unlock these messages on other devices. A recovery code can.'}
      </p>
      {!steady && ring.code && (
        <div className="flex flex-wrap gap-2">
          {steady === undefined && (
            <Button busy={busy} onClick={() => void attempt(checkWallet)}>
              Check that it works
            </Button>
          )}
          <Button onClick={() => setShowing(true)}>Show the recovery code</Button>
        </div>
      )}
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem}
      </p>
      {showing && ring.code && <RecoveryCode code={ring.code} onClose={() => setShowing(false)} />}
    </>
  )
}

import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import type { Keyring } from './keyring.ts'
import { RecoveryCode } from './RecoveryCode.tsx'
import { checkWallet } from './setup.ts'
import { useAttempt } from './use-attempt.ts'

/** Says what opens the messages on another device, and how to make sure of it. */
export function OtherDevices({ ring }: { ring: Extract<Keyring, { state: 'open' }> }) {
  const { busy, problem, attempt } = useAttempt()
  const [showing, setShowing] = useState(false)
  const { steady } = ring.backup
  const isKept = ring.backup.keys.at(-1)!.locks.some(({ kind, unseen }) => kind === 'code' && !unseen)
  return (
    <>
      <p className="text-pretty text-muted">
        {steady
          ? 'On another device your wallet opens these messages.'
          : isKept
            ? 'On another device your recovery code opens these messages.'
            : steady === undefined
              ? 'On another device your wallet opens these messages, if it signs the same text the same each time. Most do. Check it, or keep a recovery code.'
              : 'Your wallet signs differently each time, so it cannot open these messages on another device. A recovery code can.'}
      </p>
      {!steady && ring.code && (
        <div className="flex flex-wrap gap-2">
          {steady === undefined && (
            <Button busy={busy} onClick={() => void attempt(checkWallet)}>
              Check it: sign once more
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

import { LockOpen } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useAccount } from '../../service/session.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { type Keyring, missingKeys } from '../state/keyring.ts'
import { unlock } from '../state/setup.ts'
import { useAttempt } from './use-attempt.ts'

/** Opens keys of the ring on this device: with the wallet's signature, or with a recovery code. */
export function Unlock({ ring }: { ring: Extract<Keyring, { state: 'locked' | 'open' }> }) {
  const { busy, problem, attempt } = useAttempt()
  const [code, setCode] = useState('')
  const kinds = new Set(missingKeys(ring).flatMap(({ locks }) => locks.map(({ kind }) => kind)))
  const canSign = useAccount()?.kind !== 'handed-over'
  const byWallet = canSign && kinds.has('signature') && ring.backup.steady !== false
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(() => unlock(code))
  }
  return (
    <>
      {byWallet && (
        <Button variant="primary" busy={busy} onClick={() => void attempt(() => unlock())}>
          <LockOpen className="size-4" aria-hidden="true" /> Unlock with your wallet
        </Button>
      )}
      {ring.backup.steady === false && (
        <p className="text-pretty text-muted">
          This wallet can’t unlock messages. Enter your recovery code (shown in the settings of the device
          where you turned encryption on).
        </p>
      )}
      {kinds.has('code') && !byWallet && (
        <form className="grid gap-3" onSubmit={submit}>
          <TextField
            label="Recovery code"
            autoComplete="off"
            spellCheck={false}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
          <Button
            type="submit"
            variant="primary"
            busy={busy}
            whyDisabled={!code.trim() && 'Enter the recovery code.'}
          >
            Unlock
          </Button>
        </form>
      )}
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem}
      </p>
    </>
  )
}

import { Fingerprint, LockOpen } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useAccount } from '../../service/session.ts'
import { arePasskeysOffered } from '../../passkeys/offered.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { type Keyring, missingKeys } from '../state/keyring.ts'
import { unlock } from '../state/setup.ts'
import { useAttempt } from './use-attempt.ts'

/** Opens keys of the ring on this device: with the wallet's signature, a passkey, or a recovery code. */
export function Unlock({ ring }: { ring: Extract<Keyring, { state: 'locked' | 'open' }> }) {
  const { busy, problem, attempt } = useAttempt()
  const [code, setCode] = useState('')
  const kinds = new Set(missingKeys(ring).flatMap(({ locks }) => locks.map(({ kind }) => kind)))
  const canSign = useAccount()?.kind !== 'handed-over'
  const byWallet = canSign && kinds.has('signature') && ring.backup.steady !== false
  const byPasskey = async () => (await import('../state/passkey-lock.ts')).unlockByPasskey()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(() => unlock({ kind: 'code', text: code }))
  }
  return (
    <>
      {byWallet && (
        <Button variant="primary" busy={busy} onClick={() => void attempt(() => unlock())}>
          <LockOpen className="size-4" aria-hidden="true" /> Unlock with your wallet
        </Button>
      )}
      {kinds.has('passkey') && arePasskeysOffered && (
        <Button busy={busy} onClick={() => void attempt(byPasskey)}>
          <Fingerprint className="size-4" aria-hidden="true" /> Unlock with a passkey
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

import { Fingerprint } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { arePasskeysOffered } from '../../passkeys/offered.ts'
import { useAccount } from '../../service/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { mostPasskeys, passkeysOf } from '../crypto/backup.ts'
import type { Keyring } from '../state/keyring.ts'
import { useAttempt } from './use-attempt.ts'

const load = () => import('../state/passkey-lock.ts')

/** Offers a passkey as one more way to unlock messages on other devices. */
export function PasskeyUnlock({ ring }: { ring: Extract<Keyring, { state: 'open' }> }) {
  const { busy, problem, attempt } = useAttempt()
  const [asking, setAsking] = useState(false)
  // Any other account has its key here, or a passkey already.
  if (useAccount()?.kind !== 'wallet' || !arePasskeysOffered) return null
  const count = passkeysOf(ring.backup).length
  const add = async (code?: string) => (await load()).addPasskey(code)
  const begin = () => {
    if (ring.backup.steady === false) setAsking(true)
    else void attempt(add)
  }
  return (
    <>
      <p className="text-pretty text-muted">
        {count === 0
          ? 'A passkey can unlock them too, on every device that has it. Takes your passkey and one signature.'
          : `${count === 1 ? 'A passkey' : `${count} passkeys`} can unlock them too. Keep another way: a passkey can get lost.`}
      </p>
      <div className="flex flex-wrap gap-2">
        {count < mostPasskeys && (
          <Button busy={busy} onClick={begin}>
            <Fingerprint className="size-4" aria-hidden="true" />
            {count === 0 ? 'Add a passkey' : 'Add another passkey'}
          </Button>
        )}
        {count > 0 && (
          <Button
            variant="danger"
            busy={busy}
            onClick={() => void attempt(async () => (await load()).removePasskeys())}
          >
            {count === 1 ? 'Remove the passkey' : 'Remove all passkeys'}
          </Button>
        )}
      </div>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem}
      </p>
      {asking && <WithCode add={add} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Asks for the recovery code, for a wallet whose signature opens nothing. */
function WithCode({ add, onClose }: { add: (code: string) => Promise<void>; onClose: () => void }) {
  const { busy, problem, attempt } = useAttempt()
  const [code, setCode] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(() => add(code)).then((done) => done && onClose())
  }
  return (
    <Modal title="Add a passkey" onClose={onClose}>
      <form className="grid gap-3" onSubmit={submit}>
        <p className="text-pretty text-muted">
          Your wallet can’t unlock your messages, so your recovery code has to be there first.
        </p>
        <TextField
          label="Recovery code"
          autoComplete="off"
          spellCheck={false}
          value={code}
          error={problem}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          whyDisabled={!code.trim() && 'Enter the recovery code.'}
        >
          Add a passkey
        </Button>
      </form>
    </Modal>
  )
}

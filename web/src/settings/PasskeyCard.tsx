import { Copy, Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { useAttempt } from '../keys/view/use-attempt.ts'
import { useAccount } from '../service/session.ts'
import { copy, showNotice } from '../state/notice.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Modal } from '../ui/Modal.tsx'

const loadGuest = () => import('../sign-in/guest.ts')

/** Explains the account that a passkey opens, and shows its private key after another check of the passkey. */
export function PasskeyCard({ address }: { address: string }) {
  const { kind } = useAccount()!
  const { busy, problem, attempt } = useAttempt()
  const [key, setKey] = useState<string>()
  if (kind !== 'passkey') return null
  const show = async () => setKey(await (await loadGuest()).openAgain(address))
  const add = async () => {
    await (await loadGuest()).addGuestPasskey(address)
    showNotice('This account has another passkey')
  }
  return (
    <Card title="Passkey">
      <p className="flex gap-3 text-pretty text-muted">
        <Fingerprint className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
        <span>
          Your passkey opens this account on every device that has it. {location.host} stores the account’s
          key encrypted, and can’t open it. It’s not for money. If you lose the passkey, nobody can open the
          account again, unless you add another one on another device, or keep its private key, which you can
          import into any wallet.
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button busy={busy} onClick={() => void attempt(add)}>
          Add another passkey
        </Button>
        <Button busy={busy} onClick={() => void attempt(show)}>
          Show private key…
        </Button>
      </div>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem}
      </p>
      {key && (
        <Modal title="Your private key" onClose={() => setKey(undefined)}>
          <p className="text-pretty text-muted">
            Anyone with this key is you: they read and write as you, on {location.host} and elsewhere. Never
            send it to anybody. Import it into a wallet, or write it down.
          </p>
          <p className="rounded-xl bg-sunken p-4 font-mono text-sm wrap-anywhere">{key}</p>
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={() => void copy(key, 'Private key copied: keep it to yourself')}>
              <Copy className="size-4" aria-hidden="true" /> Copy
            </Button>
            <Button variant="primary" onClick={() => setKey(undefined)}>
              Done
            </Button>
          </div>
        </Modal>
      )}
    </Card>
  )
}

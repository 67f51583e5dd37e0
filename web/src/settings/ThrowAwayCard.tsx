import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { emptyVault } from '../keys/vault.ts'
import { forgetThrowAwayKey, throwAwayKeys } from '../service/session.ts'
import { signOut } from '../sign-in/sign-out.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Modal } from '../ui/Modal.tsx'
import { copy } from '../ui/notice.ts'

/** Explains the throw-away key, copies it and deletes it. */
export function ThrowAwayCard({ address }: { address: string }) {
  const [asking, setAsking] = useState(false)
  const forget = async () => {
    forgetThrowAwayKey(address)
    await emptyVault(address).catch(() => {})
    signOut(address)
  }
  return (
    <Card title="Throw-away key">
      <p className="flex gap-3 text-pretty text-muted">
        <KeyRound className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
        The key of this wallet lies in this browser, unprotected. Do not keep anything of value with it. When
        the browser’s data is cleared it is gone, unless you import it into a wallet first.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          onClick={() => void copy(throwAwayKeys()[address] ?? '', 'Private key copied: keep it to yourself')}
        >
          Copy private key
        </Button>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Forget this key
        </Button>
      </div>
      {asking && (
        <Modal title="Forget this key?" onClose={() => setAsking(false)}>
          <p className="text-pretty text-muted">
            Without a copy of the private key nobody can ever sign in as this wallet again, you included. What
            you were writing and did not send is deleted.
          </p>
          <div className="flex justify-end gap-2">
            <Button onClick={() => setAsking(false)}>Keep it</Button>
            <Button variant="danger" onClick={() => void forget()}>
              Forget it
            </Button>
          </div>
        </Modal>
      )}
    </Card>
  )
}

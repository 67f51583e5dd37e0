import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { emptyVault } from '../keys/state/vault.ts'
import { forgetThrowAwayKey, throwAwayKeys, useAccount } from '../service/session.ts'
import { signOut } from '../sign-in/sign-out.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Modal } from '../ui/Modal.tsx'
import { copy } from '../state/notice.ts'

/** Explains the throw-away key, copies it and deletes it. */
export function ThrowAwayCard({ address }: { address: string }) {
  const { kind } = useAccount()!
  const [asking, setAsking] = useState(false)
  const forget = async () => {
    forgetThrowAwayKey(address)
    await emptyVault(address).catch(() => {})
    signOut(address)
  }
  if (kind !== 'throw-away') return null
  return (
    <Card title="Throw-away key">
      <p className="flex gap-3 text-pretty text-muted">
        <KeyRound className="mt-0.5 size-5 shrink-0" aria-hidden="true" />
        This wallet’s key is stored unprotected in this browser. Don’t hold anything valuable with it. When
        you clear the browser’s data it is gone, unless you import it into a wallet first.
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
            Without a copy of the private key nobody can sign in as this wallet again, including you. Drafts
            are deleted.
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

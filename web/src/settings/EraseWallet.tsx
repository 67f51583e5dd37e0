import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { emptyVault } from '../keys/state/vault.ts'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { throwAwayKeys, useAccount } from '../service/session.ts'
import { leave } from '../sign-in/sign-out.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../state/notice.ts'
import { TextField } from '../ui/TextField.tsx'

/** Confirms and does the erasure of the wallet, and says what it does and what stays. */
export function EraseWallet({ address, onClose }: { address: string; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const word = address.slice(-4)
  const isOfPasskey = useAccount()?.kind === 'passkey'
  const erase = useMutation({
    mutationFn: async () => {
      await client.eraseAccount({ address })
      await emptyVault(address).catch(() => {})
      leave(address)
      showNotice('Your wallet was erased here')
    },
  })
  return (
    <Modal title="Erase this wallet here?" onClose={onClose}>
      <div className="grid gap-3 text-sm text-pretty">
        <Part title="Deleted now, for good">
          your name, picture, mail address and settings; your comments, notes and memberships; your encryption
          keys and their backup; your side of every conversation, on all devices; every sign-in.
        </Part>
        <Part title="Not deleted">
          messages others received and your posts in chats (shown under your address); communities you
          created; and backups until they expire.
        </Part>
        <p className="text-muted">
          {isOfPasskey
            ? 'The account itself is gone with its key, which your passkey opened: the passkey opens nothing then, and you can delete it. To keep the account for a wallet, show its private key first (Settings → Profile).'
            : 'The wallet itself isn’t affected. You can sign in here again and start over.'}
          {address in throwAwayKeys() && ' Its throw-away key stays in this browser until you forget it.'}
        </p>
      </div>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim().toLowerCase() === word) erase.mutate()
        }}
      >
        <TextField
          label={`To confirm, type the last four characters of this wallet: ${word}`}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          error={erase.error ? describeError(erase.error) : undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Keep everything</Button>
          <Button
            type="submit"
            variant="danger"
            busy={erase.isPending}
            whyDisabled={typed.trim().toLowerCase() !== word && `Type ${word} in the field first.`}
          >
            Erase
          </Button>
        </div>
      </form>
    </Modal>
  )
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <p>
    <strong className="font-semibold">{title}:</strong> {children}
  </p>
)

import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { emptyVault } from '../keys/vault.ts'
import { client, describeError } from '../service/api.ts'
import { throwAwayKeys } from '../service/session.ts'
import { leave } from '../sign-in/sign-out.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../ui/notice.ts'
import { TextField } from '../ui/TextField.tsx'

/** Asks whether to erase the wallet, says what that does and what stays, and does it. */
export function EraseWallet({ address, onClose }: { address: string; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const word = address.slice(-4)
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
        <Part title="Deleted at once, and nobody can bring it back">
          your name, picture, mail address and settings; your comments, notes to yourself and memberships;
          your encryption key and its backup; your side of every conversation, on all of your devices; every
          sign-in.
        </Part>
        <Part title="Stays">
          what others have received: your messages in their side of a conversation and in group chats, under
          your bare address. Communities that you created stay, without a creator. Backups of this service
          that were made before keep it until they are deleted.
        </Part>
        <p className="text-muted">
          The wallet itself is not touched, and may sign in here again as a new one.
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

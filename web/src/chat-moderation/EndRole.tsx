import { WalletName } from '../names/WalletName.tsx'
import { useMe } from '../service/session.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'

interface Props {
  wallet: string
  busy: boolean
  onClose: () => void
  onEnd: () => void
}

/** Confirms that a wallet stops being a moderator. */
export function EndRole({ wallet, busy, onClose, onEnd }: Props) {
  const isMine = wallet === useMe()
  return (
    <Modal title={isMine ? 'Step down?' : 'Remove this moderator?'} onClose={onClose}>
      <p className="text-pretty text-muted">
        {isMine ? (
          'You’ll no longer moderate this chat. Its owner can make you a moderator again.'
        ) : (
          <>
            <WalletName address={wallet} /> stays a member. Their past decisions stay.
          </>
        )}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" busy={busy} onClick={onEnd}>
          {isMine ? 'Step down' : 'Remove'}
        </Button>
      </div>
    </Modal>
  )
}

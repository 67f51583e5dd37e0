import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'

interface Props {
  /** How many messages were not sent. */
  count: number
  onStay: () => void
  onLeave: () => void
}

/** Asks before signing out, where that deletes messages. */
export const UnsentMessages = ({ count, onStay, onLeave }: Props) => (
  <Modal title="Sign out?" onClose={onStay}>
    <p className="text-pretty text-muted">
      {count === 1
        ? '1 message was not sent. It is'
        : `${count.toLocaleString()} messages were not sent. They are`}{' '}
      deleted when you sign out.
    </p>
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={onStay}>Stay</Button>
      <Button variant="danger" onClick={onLeave}>
        Sign out
      </Button>
    </div>
  </Modal>
)

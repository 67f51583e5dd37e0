import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'

interface Props {
  /** This number of messages was not sent. */
  count: number
  onStay: () => void
  onLeave: () => void
}

/** Confirms signing out when that deletes messages. */
export const UnsentMessages = ({ count, onStay, onLeave }: Props) => (
  <Modal title="Sign out?" onClose={onStay}>
    <p className="text-pretty text-muted">
      {count === 1
        ? 'One message hasn’t been sent. Signing out deletes it.'
        : `${count.toLocaleString()} messages haven’t been sent. Signing out deletes them.`}
    </p>
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={onStay}>Keep me signed in</Button>
      <Button variant="danger" onClick={onLeave}>
        Sign out
      </Button>
    </div>
  </Modal>
)

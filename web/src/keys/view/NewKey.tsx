import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { setUp } from '../state/setup.ts'
import { useAttempt } from './use-attempt.ts'

/** Makes a new key after a confirmation. The earlier ones stay in the ring. */
export function NewKey({ label }: { label: string }) {
  const [asking, setAsking] = useState(false)
  const { busy, problem, attempt } = useAttempt()
  return (
    <>
      <Button variant="quiet" onClick={() => setAsking(true)}>
        {label}…
      </Button>
      {asking && (
        <Modal title="Make a new key?" onClose={() => setAsking(false)}>
          <ul className="grid list-disc gap-2 ps-5 text-pretty text-muted">
            <li>New messages use the new key.</li>
            <li>Old ones stay readable on devices that can read them now.</li>
            <li>Your other devices will ask to unlock.</li>
            <li>The people you write with will see that your key changed, and accept the new one.</li>
          </ul>
          <p role="alert" className="text-sm text-danger empty:hidden">
            {problem}
          </p>
          <div className="flex justify-end gap-2">
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button
              variant="primary"
              busy={busy}
              onClick={() => void attempt(setUp).then((done) => done && setAsking(false))}
            >
              Make a new key
            </Button>
          </div>
        </Modal>
      )}
    </>
  )
}

import { useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { setUp } from './setup.ts'
import { useAttempt } from './use-attempt.ts'

/** Makes a new key after asking for it. The earlier ones stay in the ring. */
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
            <li>What is written to you from now on is encrypted for the new key.</li>
            <li>Your earlier keys are kept. Each device goes on reading what it can read now.</li>
            <li>Your other devices ask you to unlock the new key.</li>
            <li>
              The people you write with are told that your key has changed, and encrypt to it once they have
              accepted it.
            </li>
          </ul>
          <p role="alert" className="text-sm text-danger empty:hidden">
            {problem}
          </p>
          <div className="flex justify-end gap-2">
            <Button onClick={() => setAsking(false)}>Keep the key</Button>
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

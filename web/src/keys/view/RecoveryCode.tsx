import { Copy } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { copy } from '../../state/notice.ts'
import { codeWasSeen } from '../state/setup.ts'
import { useAttempt } from './use-attempt.ts'

/** Shows the recovery code until somebody confirms that it is saved. */
export function RecoveryCode({ code, onClose }: { code: string; onClose: () => void }) {
  const { busy, problem, attempt } = useAttempt()
  return (
    <Modal title="Write this code down" onClose={onClose}>
      <p className="text-pretty text-muted">
        It unlocks your messages on another device. Nobody can restore it, so keep it safe.
      </p>
      <p className="rounded-xl bg-sunken p-4 text-center font-mono text-lg tracking-wide wrap-anywhere">
        {code}
      </p>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {problem}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={() => void copy(code, 'Code copied')}>
          <Copy className="size-4" aria-hidden="true" /> Copy
        </Button>
        <Button
          variant="primary"
          busy={busy}
          onClick={() => void attempt(codeWasSeen).then((done) => done && onClose())}
        >
          I have saved it
        </Button>
      </div>
    </Modal>
  )
}

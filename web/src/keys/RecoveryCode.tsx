import { Copy } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { copy } from '../ui/notice.ts'

/** Shows the recovery code, for wallets whose signatures cannot open the backup. */
export function RecoveryCode({ code, onKept }: { code: string; onKept: () => void }) {
  return (
    <Modal title="Write this code down" onClose={() => {}}>
      <p className="text-pretty text-muted">
        Your wallet signs differently each time, so it cannot open your messages on another device. This code
        can. It is shown only now, and nobody can restore it.
      </p>
      <p className="rounded-xl bg-sunken p-4 text-center font-mono text-lg tracking-wide wrap-anywhere">
        {code}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={() => void copy(code, 'Code copied')}>
          <Copy className="size-4" aria-hidden="true" /> Copy
        </Button>
        <Button variant="primary" onClick={onKept}>
          I have kept it
        </Button>
      </div>
    </Modal>
  )
}

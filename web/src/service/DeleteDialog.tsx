import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { describeError } from './describe-error.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../state/notice.ts'

interface Props {
  title: string
  /** The children say what follows from it. */
  children: ReactNode
  remove: () => Promise<unknown>
  /** This notice is shown after the deletion. */
  notice: string
  /** Runs after the attempt, also after a failure. */
  onSettled: () => void
  onClose: () => void
}

/** Confirms a deletion that cannot be undone. */
export function DeleteDialog({ title, children, remove, notice, onSettled, onClose }: Props) {
  const deleting = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      showNotice(notice)
      onClose()
    },
    onSettled,
  })
  return (
    <Modal title={title} onClose={onClose}>
      <p className="text-pretty wrap-anywhere text-muted">{children}</p>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {deleting.error && describeError(deleting.error)}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="danger" busy={deleting.isPending} onClick={() => deleting.mutate()}>
          Delete
        </Button>
      </div>
    </Modal>
  )
}

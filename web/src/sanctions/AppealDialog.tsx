import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { showNotice } from '../state/notice.ts'
import { TextArea } from '../ui/TextArea.tsx'

/** Sends the operators an appeal to review what they did. */
export function AppealDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const send = useMutation({
    mutationFn: () => client.createReport({ body: { reason: 'appeal', text: text.trim() } }),
    onSuccess: () => {
      onClose()
      showNotice('Appeal sent to the operators')
    },
  })
  return (
    <Modal title="Appeal" onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim()) send.mutate()
        }}
      >
        <TextArea label="Why should this be reviewed?" value={text} onChange={setText} />
        <p role="alert" className="text-sm text-danger empty:hidden">
          {send.error && describeError(send.error)}
        </p>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            busy={send.isPending}
            whyDisabled={!text.trim() && 'Write why it should be reviewed.'}
          >
            Send
          </Button>
        </div>
      </form>
    </Modal>
  )
}

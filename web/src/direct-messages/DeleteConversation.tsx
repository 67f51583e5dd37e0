import { useState } from 'react'
import { useNavigate } from 'react-router'
import { cache, client, describeError } from '../service/api.ts'
import { readInboxAgain } from '../inbox/cache.ts'
import { useMe } from '../service/session.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'

interface Props {
  peer: string
  title: string
  onClose: () => void
}

/** Asks for confirmation, then deletes all messages between two wallets, for both. */
export function DeleteConversation({ peer, title, onClose }: Props) {
  const me = useMe()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    try {
      await client.deleteConversation({ fromaddr: me, toaddr: peer })
      cache.removeQueries({ queryKey: ['listConversation'] })
      readInboxAgain()
      void navigate('/')
    } catch (error) {
      setProblem(describeError(error))
      setBusy(false)
    }
  }
  return (
    <Modal title="Delete this conversation?" onClose={onClose}>
      <p className="text-pretty text-muted">
        Every message between you and {title} is deleted, for both of you. This cannot be undone.
      </p>
      {problem && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Keep it</Button>
        <Button variant="danger" busy={busy} onClick={() => void remove()}>
          Delete for both
        </Button>
      </div>
    </Modal>
  )
}

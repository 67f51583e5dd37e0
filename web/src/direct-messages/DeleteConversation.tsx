import { EyeOff, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { cache, client } from '../service/api.ts'
import { describeError } from '../service/describe-error.ts'
import { readInboxAgain } from '../inbox/cache.ts'
import { useMe } from '../service/session.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'

interface Props {
  peer: string
  title: string
  onClose: () => void
}

/** Lets the user choose who loses the messages between two wallets, and deletes them. */
export function DeleteConversation({ peer, title, onClose }: Props) {
  const me = useMe()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState<'mine' | 'both'>()
  const remove = async (whose: 'mine' | 'both') => {
    setBusy(whose)
    try {
      await (whose === 'both'
        ? client.deleteConversation({ fromaddr: me, toaddr: peer })
        : client.hideConversation({ toaddr: peer }))
      cache.removeQueries({ queryKey: ['listConversation'] })
      cache.removeQueries({ queryKey: ['listNftConversation'] })
      readInboxAgain()
      void navigate('/')
    } catch (error) {
      setProblem(describeError(error))
      setBusy(undefined)
    }
  }
  return (
    <Modal title={peer === me ? 'Delete your notes?' : 'Delete this conversation?'} onClose={onClose}>
      {peer === me ? (
        <Choice
          icon={<Trash2 />}
          title="Delete all notes"
          danger
          busy={busy === 'mine'}
          onChoose={() => void remove('mine')}
        >
          On all your devices. This can’t be undone.
        </Choice>
      ) : (
        <>
          <Choice
            icon={<EyeOff />}
            title="Delete for me"
            busy={busy === 'mine'}
            onChoose={() => void remove('mine')}
          >
            Removed from all your devices. {title} still has them.
          </Choice>
          <Choice
            icon={<Trash2 />}
            title="Delete for everyone"
            danger
            busy={busy === 'both'}
            onChoose={() => void remove('both')}
          >
            All messages are deleted for you and {title}, including {title}’s own and those about NFTs.{' '}
            {title} will see that you did it. This can’t be undone.
          </Choice>
        </>
      )}
      {problem && (
        <p role="alert" className="text-sm text-danger">
          {problem}
        </p>
      )}
      <Button onClick={onClose}>Cancel</Button>
    </Modal>
  )
}

interface ChoiceProps {
  icon: ReactNode
  title: string
  danger?: boolean
  busy: boolean
  onChoose: () => void
  /** The children say what the choice does. */
  children: ReactNode
}

function Choice({ icon, title, danger = false, busy, onChoose, children }: ChoiceProps) {
  return (
    <Button
      variant={danger ? 'danger' : 'plain'}
      busy={busy}
      className="!justify-start text-start"
      onClick={onChoose}
    >
      <span className="shrink-0 self-start pt-0.5 [&>svg]:size-5" aria-hidden="true">
        {icon}
      </span>
      <span className="grid min-w-0 grid-cols-1">
        <span className="font-semibold">{title}</span>
        <span className="text-sm font-normal wrap-anywhere text-muted">{children}</span>
      </span>
    </Button>
  )
}

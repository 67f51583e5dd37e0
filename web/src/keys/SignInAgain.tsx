import { useMutation } from '@tanstack/react-query'
import { useAskedToSignIn } from '../service/recent-sign-in.ts'
import { explain } from '../sign-in/explain.ts'
import { Button } from '../ui/Button.tsx'
import { Modal } from '../ui/Modal.tsx'
import { signInAgain } from './sign-in-again.ts'

/** Says that the sign-in is too old for what was asked, and signs in again. What was asked goes on by itself. */
export function SignInAgain() {
  const asked = useAskedToSignIn()
  return asked && <Asking answer={asked.answer} />
}

function Asking({ answer }: { answer: (isDone: boolean) => void }) {
  const again = useMutation({ mutationFn: signInAgain, onSuccess: () => answer(true) })
  return (
    <Modal title="Sign in again" onClose={() => answer(false)}>
      <p className="text-pretty text-muted">
        You signed in more than an hour ago. This needs a fresh signature. Then it goes on by itself.
      </p>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {again.error && explain(again.error)}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => answer(false)}>Cancel</Button>
        <Button variant="primary" data-first busy={again.isPending} onClick={() => again.mutate()}>
          {again.isPending ? 'Waiting for your wallet…' : 'Sign in again'}
        </Button>
      </div>
    </Modal>
  )
}

import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useAskedToSignIn } from '../../service/recent-sign-in.ts'
import { explain } from '../../sign-in/explain.ts'
import { Button } from '../../ui/Button.tsx'
import { Modal } from '../../ui/Modal.tsx'
import { signAsCurrent } from '../state/sign.ts'
import { client } from '../../service/api.ts'
import { currentAccount, useAccount } from '../../service/session.ts'
import { signIn } from '../../sign-in/sign-in.ts'

/** Says that the sign-in is too old for the action, and signs in again. The action then continues by itself. */
export function SignInAgain() {
  const asked = useAskedToSignIn()
  return asked && <Asking answer={asked.answer} />
}

function Asking({ answer }: { answer: (isDone: boolean) => void }) {
  const isHandedOver = useAccount()?.kind === 'handed-over'
  if (isHandedOver) return <ByLinkAgain onClose={() => answer(false)} />
  return <BySignature answer={answer} />
}

/** There is no wallet here that could sign. */
const ByLinkAgain = ({ onClose }: { onClose: () => void }) => (
  <Modal title="Sign in again" onClose={onClose}>
    <p className="text-pretty text-muted">
      This needs a sign-in from the last hour, and your wallet is not in this browser. In the browser where
      your wallet is, open Settings, Devices, and choose “Sign in another browser”. Open its link here, then
      repeat this.
    </p>
    <div className="flex flex-wrap justify-end gap-2">
      <Button onClick={onClose}>Close</Button>
      <Link
        to="/hand-over"
        onClick={onClose}
        className="inline-flex min-h-11 items-center rounded-xl bg-accent px-4 py-2 font-medium text-on-accent hover:bg-accent-strong"
      >
        I have a link
      </Link>
    </div>
  </Modal>
)

function BySignature({ answer }: { answer: (isDone: boolean) => void }) {
  const again = useMutation({ mutationFn: signInAgain, onSuccess: () => answer(true) })
  return (
    <Modal title="Sign in again" onClose={() => answer(false)}>
      <p className="text-pretty text-muted">
        You signed in more than an hour ago. Sign in again, and this continues by itself.
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

/** Signs the current wallet in again. The previous session ends: this browser has one. */
async function signInAgain(): Promise<void> {
  const { isContract: _known, ...account } = currentAccount()!
  const { address } = account
  const before = await client.listSessions({ address })
  await signIn({ ...account, signMessage: signAsCurrent })
  for (const { id, current } of before)
    // The session may have ended meanwhile.
    if (current) await client.endSession({ address, session: id }).catch(() => {})
}

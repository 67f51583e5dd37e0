import { useMutation } from '@tanstack/react-query'
import { signInAgain } from './sign-in-again.ts'
import { explain } from '../sign-in/explain.ts'
import { Button } from '../ui/Button.tsx'

/** Says that the sign-in is too old for a decision, and signs in again. */
export function SignInAgain({ onDone }: { onDone: () => void }) {
  const again = useMutation({ mutationFn: signInAgain, onSuccess: onDone })
  return (
    <div
      role="alert"
      className="grid justify-items-start gap-2 rounded-xl bg-warn-soft p-3 text-sm text-warn"
    >
      <p className="text-pretty">
        You signed in more than an hour ago. This needs a fresh signature, and nothing was done yet: sign in
        again, and then repeat it. What you wrote stays.
      </p>
      <Button busy={again.isPending} onClick={() => again.mutate()}>
        {again.isPending ? 'Look at your wallet…' : 'Sign in again'}
      </Button>
      {again.error && <p className="text-danger">{explain(again.error)}</p>}
    </div>
  )
}

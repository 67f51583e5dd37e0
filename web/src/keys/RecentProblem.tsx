import { ApiError } from '@parley/sdk'
import { SignInAgain } from './SignInAgain.tsx'
import { describeError } from '../service/api.ts'

/** Says what went wrong; where the sign-in is too old for it, it can be renewed here. */
export function RecentProblem({ error, onSignedIn }: { error: Error | null; onSignedIn: () => void }) {
  if (error instanceof ApiError && error.code === 'old_sign_in') return <SignInAgain onDone={onSignedIn} />
  return (
    <p role="alert" className="text-sm text-pretty wrap-anywhere text-danger empty:hidden">
      {error && describeError(error)}
    </p>
  )
}

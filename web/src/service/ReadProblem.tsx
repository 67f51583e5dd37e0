import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { useOnline } from '../state/online.ts'
import { describeError } from './describe-error.ts'

interface Props {
  error: Error
  /** This could not be read, such as: Your chats. */
  what: string
  onRetry: () => void
}

/** Says that something could not be read, and offers to retry when that is useful. */
export function ReadProblem({ error, what, onRetry }: Props) {
  if (!useOnline()) return <Banner>{what} will appear when you’re back online.</Banner>
  return (
    <Banner tone="danger" action={<Button onClick={onRetry}>Try again</Button>}>
      {describeError(error)}
    </Banner>
  )
}

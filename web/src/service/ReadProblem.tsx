import { Banner } from '../ui/Banner.tsx'
import { Button } from '../ui/Button.tsx'
import { useOnline } from '../ui/online.ts'
import { describeError } from './api.ts'

interface Props {
  error: Error
  /** What could not be read, such as: Your chats. */
  what: string
  onRetry: () => void
}

/** Says that something could not be read, and offers to try again where that is of use. */
export function ReadProblem({ error, what, onRetry }: Props) {
  if (!useOnline()) return <Banner>{what} are shown when the connection is back.</Banner>
  return (
    <Banner tone="danger" action={<Button onClick={onRetry}>Try again</Button>}>
      {describeError(error)}
    </Banner>
  )
}

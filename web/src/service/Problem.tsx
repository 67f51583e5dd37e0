import { describeError } from './describe-error.ts'

export const Problem = ({ error }: { error: Error | null }) => (
  <p role="alert" className="text-sm text-pretty wrap-anywhere text-danger empty:hidden">
    {error && describeError(error)}
  </p>
)

import { describeError } from './describe-error.ts'

interface Props {
  error: Error | null
  /** This stands in place of the error, where fields of a form say what is wrong. */
  text?: string | false
}

export const Problem = ({ error, text }: Props) => (
  <p role="alert" className="text-sm text-pretty wrap-anywhere text-danger empty:hidden">
    {error && (text || describeError(error))}
  </p>
)

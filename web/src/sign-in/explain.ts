import { describeError } from '../service/describe-error.ts'

/** Returns an error of a wallet or the service as a sentence for the reader. */
export function explain(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  if (code === 4001 || name === 'UserRejectedRequestError') return 'You declined. Nothing was signed.'
  if (code === -32002) return 'Your wallet already has a request open.'
  return describeError(error)
}

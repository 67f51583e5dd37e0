import { describeError } from '../service/api.ts'

/** An error of a wallet or the service as a sentence for the reader. */
export function explain(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  if (code === 4001 || name === 'UserRejectedRequestError')
    return 'You declined in your wallet. Nothing has happened.'
  if (code === -32002) return 'Your wallet is already asking. Look for its window.'
  return describeError(error)
}

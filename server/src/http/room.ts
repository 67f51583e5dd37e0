import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import type { Context } from '../context.ts'

/** Refuses what would store something while the disk has less than its reserve. */
export function requireRoom({ disk }: Pick<Context, 'disk'>, { method, needsRoom }: Endpoint): void {
  if (!disk.isShort || needsRoom === false || method === 'GET' || method === 'DELETE') return
  throw new ApiError(
    'unavailable',
    'The disk of this service has no room left. Nothing was stored; reading, deleting and signing in go on. Try again when its operator has made room.',
    { retryAfter: 60 },
  )
}

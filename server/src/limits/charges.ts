// Says what a request uses of the daily quotas. One of two quotas pays for everything that the service stores for it: bytes for a
// body that is stored (messages, pictures, settings), and changes for what is stored beside or instead of it: the rows of the log
// that notify others of a mark, a deletion or a join, the row of a contact, of a decision in a chat, of a notice. A change pays
// for 1 KiB. server/test/charged.test.ts checks every endpoint against that.

import type { Endpoint } from '@parley/sdk/contract/endpoint.ts'
import type { Counted } from './daily-usage.ts'

/** This has the use of each quota. */
export type Uses = [Counted, number][]

/** A change pays for this many bytes. */
export const bytesOfChange = 1024

/** Returns true when calls of an endpoint use changes. */
export const isChange = ({ method, access, changes = 1 }: Endpoint): boolean =>
  changes > 0 && method !== 'GET' && access !== 'operator'

/** Returns what a call uses; `size` returns the bytes of its body. */
export function usesOf(endpoint: Endpoint, size: () => number): Uses {
  const { quotas = [] } = endpoint
  const uses: Uses = []
  const keepsBody = quotas.includes('bytes')
  if (keepsBody) uses.push(['bytes', size()])
  if (quotas.includes('pictures')) uses.push(['pictures', size()])
  if (quotas.includes('comments')) uses.push(['comments', 1])
  if (quotas.includes('reports')) uses.push(['reports', 1])
  if (quotas.includes('files')) uses.push(['files', 1])
  if (isChange(endpoint))
    uses.push(['changes', endpoint.changes ?? (keepsBody ? 1 : 1 + Math.floor(size() / bytesOfChange))])
  return uses
}

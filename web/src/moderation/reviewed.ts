import type { Client } from '@parley/sdk'
import { cache, query } from '../service/api.ts'
import { isEvmAddress, shortAddress } from '../seal/address.ts'
import { showNotice } from '../state/notice.ts'

/** Says which report was reviewed. The event does not name it, so it is the one that was open before. */
export async function sayReviewed(): Promise<void> {
  const read = query('listOwnReports')
  const before = cache.getQueryData<Awaited<ReturnType<Client['listOwnReports']>>>(read.queryKey)
  const reports = await cache.fetchQuery({ ...read, staleTime: 0 }).catch(() => [])
  const wasClosed = new Set(before?.filter(({ status }) => status === 'closed').map(({ id }) => id))
  const closed = reports.filter(({ id, status }) => status === 'closed' && !wasClosed.has(id))
  const [one] = closed
  if (!one || closed.length > 1) showNotice('A report of yours was reviewed.')
  else if (one.reason === 'appeal') showNotice('Your appeal was reviewed.')
  else
    showNotice(
      `Your report about ${isEvmAddress(one.subject) ? shortAddress(one.subject) : one.subject} was reviewed.`,
    )
}

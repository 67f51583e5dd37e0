import { cache, client, query } from '../service/api.ts'
import { currentAccount } from '../service/session.ts'

/**
 * Has a wallet that has chosen nothing take messages of strangers as requests, which this client shows
 * apart. What it has chosen stays. A failure does no harm: the next sign-in tries it again.
 */
export async function keepRequests(address: string): Promise<void> {
  try {
    const { who, is_default } = await client.getOwnDmPolicy()
    if (!is_default || who !== 'everyone' || currentAccount()?.address !== address) return
    const policy = await client.setDmPolicy({ body: { who: 'requests' } })
    cache.setQueryData(query('getOwnDmPolicy').queryKey, policy)
  } catch {}
}

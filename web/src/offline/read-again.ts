// Stored data that is not open may have changed while this device had no connection: messages were deleted, others
// came. Once there is a connection, it is read again, one conversation after the other.

import type { QueryKey } from '@tanstack/react-query'
import { cache } from '../service/api.ts'
import { currentAccount } from '../service/session.ts'
import type { History } from '../thread/history.ts'
import { readNewest } from '../thread/use-history.ts'
import { listStored } from '../device-store/store.ts'

/** These are milliseconds before the first read, because what is shown comes first, and between two. */
const [first, between] = [3000, 1000]

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const historyOf = ([name, , input]: QueryKey) => ({ name, input }) as History

export async function readStoredAgain(wallet: string): Promise<void> {
  await pause(first)
  for (const { key } of await listStored(wallet, 'history')) {
    if (currentAccount()?.address !== wallet) return
    // Data in memory is up to date, or is read when it is shown.
    if (cache.getQueryState(key)) continue
    await readNewest(historyOf(key))
    await pause(between)
  }
}

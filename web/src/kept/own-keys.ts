// Whether the wallet had no keys when the service was last asked on this device. Without a connection a message
// then goes out in the clear, as the page says; where that is not known it waits.

import { type Kept, putKept, readKept } from './store.ts'

const hash = 'no keys'

export const noteOff = (wallet: string, isOff: boolean): Promise<void> => {
  const kept: Kept = { wallet, kind: 'small', hash, key: [hash], data: isOff, at: Date.now(), size: 5 }
  return putKept([kept])
}

export const wasOff = async (wallet: string): Promise<boolean> =>
  (await readKept(wallet, 'small', hash))?.data === true

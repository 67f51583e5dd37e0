// Counts of members that others see say nothing where they are few, and else only about how many: nobody learns from one whether a
// single member is counted. The number from which a count is shown is moved by a secret of the service, so nobody finds that out
// with wallets of their own either.

import { mac } from '../lib/mac.ts'

/** Returns what is shown of a count. `about` names the count; the number it is moved by is the same for one name. */
export const shownCount = (secret: string, about: string, count: number): number =>
  roundedDown(count + (mac(secret, 'shown count', about)[0]! % 7) - 3)

/** Returns 10, 20, 50, 100, 200, 500 and so on; 0 below 10. */
export function roundedDown(count: number): number {
  if (count < 10) return 0
  const size = 10 ** Math.floor(Math.log10(count) + 1e-9)
  return size * (count >= 5 * size ? 5 : count >= 2 * size ? 2 : 1)
}

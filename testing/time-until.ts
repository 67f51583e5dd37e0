import { expect, vi } from 'vitest'

/** Returns the milliseconds until something has arrived; it fails after ten seconds. */
export async function timeUntil(what: string, arrived: () => boolean): Promise<number> {
  const began = performance.now()
  await vi.waitFor(() => expect(arrived(), what).toBe(true), { timeout: 10_000, interval: 20 })
  return performance.now() - began
}

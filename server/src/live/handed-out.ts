/**
 * Says when everything that a standby had to show at some moment has been handed out. Positions are those of the primary's
 * write-ahead log.
 */
export function createHandedOut() {
  let waiting: { position: bigint; resolve: () => void }[] = []
  const resolveAll = (those: typeof waiting) => {
    for (const { resolve } of those) resolve()
  }
  return {
    /** Settles when everything up to a position has been handed out, or nothing is handed out any longer. */
    upTo: (position: bigint): Promise<void> =>
      new Promise((resolve) => void waiting.push({ position, resolve })),
    /** This is called when everything up to a position has been handed out; undefined stands for all there is. */
    reached(position: bigint | undefined): void {
      const isThere = (one: (typeof waiting)[number]) => position === undefined || one.position <= position
      const [there, left] = [waiting.filter(isThere), waiting.filter((one) => !isThere(one))]
      waiting = left
      resolveAll(there)
    },
    end(): void {
      const left = waiting
      waiting = []
      resolveAll(left)
    },
  }
}

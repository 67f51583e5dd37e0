export type HandedOut = ReturnType<typeof createHandedOut>

interface Waiting {
  /** Only polls after this one count. */
  after: number
  /** The poll must have shown the primary's write-ahead log up to here. */
  position: bigint | undefined
  resolve: () => void
  reject: (error: Error) => void
}

/** Says when everything that the log had at some moment has been handed out. Polls run one after the other. */
export function createHandedOut() {
  let polls = 0
  let waiting: Waiting[] = []
  const takeAll = () => waiting.splice(0)
  return {
    /**
     * Settles when a poll that begins after this call has been handed out, and has shown everything up to a position of the
     * primary's write-ahead log, or nothing is handed out any longer.
     */
    upTo: (position: bigint | undefined): Promise<void> =>
      new Promise((resolve, reject) => void waiting.push({ after: polls, position, resolve, reject })),
    /** This is called when a poll begins; returns its number. */
    begin: (): number => ++polls,
    /** This is called when a poll has been handed out, with the position it has shown; undefined stands for all there is. */
    reached(poll: number, shown: bigint | undefined): void {
      const isThere = ({ after, position }: Waiting) =>
        poll > after && (position === undefined || shown === undefined || position <= shown)
      const all = takeAll()
      waiting = all.filter((one) => !isThere(one))
      for (const one of all) if (isThere(one)) one.resolve()
    },
    /** This is called when a poll has failed: who waits learns it. */
    failed(error: Error): void {
      for (const { reject } of takeAll()) reject(error)
    },
    end(): void {
      for (const { resolve } of takeAll()) resolve()
    },
  }
}

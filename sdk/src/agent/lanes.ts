/** This limits how many tasks may wait before `room` waits. */
const most = 1_000

/** Runs the tasks of one lane one after the other, and at most `atOnce` lanes at the same time. */
export function createLanes(atOnce: number) {
  const last = new Map<string, Promise<void>>()
  const turns: (() => void)[] = []
  const waiting: (() => void)[] = []
  let free = atOnce
  let count = 0

  const turn = async (): Promise<void> => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => turns.push(resolve))
  }
  const giveBack = (): void => {
    const following = turns.shift()
    if (following) following()
    else free++
  }

  return {
    /** A task must not fail. */
    run(lane: string, task: () => Promise<void>): void {
      count++
      const before = last.get(lane) ?? Promise.resolve()
      const mine = before
        .then(turn)
        .then(task)
        .finally(() => {
          giveBack()
          count--
          if (last.get(lane) === mine) last.delete(lane)
          waiting.shift()?.()
        })
      last.set(lane, mine)
    },
    /** Waits until the queue has room for one task. */
    room: (): Promise<void> =>
      count < most ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
    /** Waits until all are done. */
    async idle(): Promise<void> {
      while (last.size > 0) await Promise.all(last.values())
    },
  }
}

/** Lets at most `limit` pieces of work run at once; the others wait in the order of their arrival. */
export function atMost(limit: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < limit) running++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The finished piece of work hands its place to the next one.
      if (next) next()
      else running--
    }
  }
}

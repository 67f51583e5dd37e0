/**
 * Makes a function by which callers share what they read. One that asks while the same is being read gets the next read, which begins
 * afterwards, so no answer is older than its question. Of a crowd there are two reads at a time: one that runs, and one that waits.
 */
export function shareReads<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const running = new Map<string, { now: Promise<T>; next?: Promise<T> }>()

  function start(key: string, read: () => Promise<T>): Promise<T> {
    const one: { now: Promise<T>; next?: Promise<T> } = { now: read() }
    running.set(key, one)
    const end = () => {
      if (!one.next) running.delete(key)
    }
    one.now.then(end, end)
    return one.now
  }

  return (key, read) => {
    const one = running.get(key)
    if (!one) return start(key, read)
    if (one.next) return one.next.catch(read)
    one.next = one.now.then(
      () => start(key, read),
      () => start(key, read),
    )
    return one.next
  }
}

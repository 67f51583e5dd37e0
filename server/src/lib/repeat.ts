/**
 * Does `work` again and again, with a pause of so many milliseconds between, until disposed of.
 * Disposing waits for its end.
 */
export function repeat(pause: number, work: () => Promise<void>): AsyncDisposable {
  let timer: NodeJS.Timeout
  let stopped = false
  let running = Promise.resolve()
  const wait = () => {
    timer = setTimeout(() => {
      running = work().finally(() => {
        if (!stopped) wait()
      })
    }, pause).unref()
  }
  wait()
  return {
    async [Symbol.asyncDispose]() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

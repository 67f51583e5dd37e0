/** Does something again and again, a pause after each time, until disposed of; which waits for the one under way. */
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

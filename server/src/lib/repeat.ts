/**
 * Repeats `work` with a pause in milliseconds between two runs, until disposed of. Disposing waits for the current run to end.
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

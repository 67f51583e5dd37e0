import { clearLine, cursorTo } from 'node:readline'

/** Receives the progress: the current step, the amount that is done, and the total. */
export type OnProgress = (what: string, done: number, total: number) => void

const width = 30

/** Shows a progress bar on standard error when that is a terminal. Disposing removes it until it is shown again. */
export function showProgress(out = process.stderr): Disposable & { onProgress: OnProgress } {
  let last = -Infinity
  const clear = () => cursorTo(out, 0) && clearLine(out, 1)
  return {
    onProgress(what, done, total) {
      const now = performance.now()
      if (!out.isTTY || now - last < 100) return
      last = now
      const share = total > 0 ? Math.min(1, done / total) : 1
      const full = Math.round(share * width)
      clear()
      out.write(`[${'█'.repeat(full)}${' '.repeat(width - full)}] ${Math.floor(share * 100)} % ${what}`)
    },
    [Symbol.dispose]() {
      if (out.isTTY) clear()
    },
  }
}

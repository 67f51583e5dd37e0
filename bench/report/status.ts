const width = 24
let last = ''

/** Prints what happens now: on a terminal one line that changes, else a line for each new status. */
export function showStatus(what: string, done?: number): void {
  if (process.stderr.isTTY) {
    const filled = Math.round((done ?? 0) * width)
    const bar =
      done === undefined
        ? ''
        : ` [${'█'.repeat(filled)}${'·'.repeat(width - filled)}] ${Math.round(done * 100)} %`
    process.stderr.write(`\r\u001b[K${what}${bar}`)
  } else if (what !== last) process.stderr.write(`${what}\n`)
  last = what
}

/** Clears the status line before something else is printed. */
export function clearStatus(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
}

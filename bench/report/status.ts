const width = 24
let last = ''

/** Says what happens now: one line that changes on a terminal, else a line for each new thing. */
export function say(what: string, done?: number): void {
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

/** Clears the line before something is printed to stay. */
export function quiet(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
}

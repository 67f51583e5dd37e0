// These functions print the result of a command of the operator's tool, and confirm dangerous ones.

import { createInterface } from 'node:readline/promises'

/** The result of a command: as text for people, and as data for programs (`--json`). */
export interface Result {
  text: string
  data: unknown
  /** True when the command found a fault; the exit code is then 1. */
  hasFaults?: boolean
}

/** Ends the process quietly when nobody reads its output any longer, as after `| head -1`. */
export function endWithoutReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

/** Prints a result on standard output. Progress goes to standard error. */
export function print({ text, data, hasFaults }: Result, asJson: boolean): void {
  console.log(asJson ? JSON.stringify(data, null, 2) : text)
  if (hasFaults) process.exitCode = 1
}

/** Requests a confirmation of what cannot be undone. Throws when the answer is not yes, or when nobody can answer. */
export async function confirm(what: string, isSure: boolean | undefined): Promise<void> {
  if (isSure) return
  if (!process.stdin.isTTY) throw new Error(`${what} Say --yes to do it.`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question(`${what} Type "yes" to go on: `)
    if (answer.trim().toLowerCase() !== 'yes') throw new Error('Nothing is changed.')
  } finally {
    lines.close()
  }
}

/** Returns lines of a name and a value, below each other. */
export const linesOf = (rows: [name: string, value: string][]): string => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')
}

export const timeOf = (ms: number | null | undefined): string =>
  ms ? new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z') : 'never'

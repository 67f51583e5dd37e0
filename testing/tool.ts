// This runs the operator's tool as a process of its own.

import { execFile } from 'node:child_process'
import path from 'node:path'

/** The program of the tool. */
export const tool = path.join(import.meta.dirname, '../server/src/parley.ts')

/** Runs a command without a terminal, by Node itself or by another program such as npx. */
export const parley = (
  args: string[],
  env: Record<string, string> = {},
  [program, ...before]: readonly [string, ...string[]] = [process.execPath, tool],
) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
    execFile(
      program,
      [...before, ...args],
      { env: { PATH, NODE_COMPILE_CACHE, ...env } },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    ).stdin?.end()
  })

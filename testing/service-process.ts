import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { expect } from 'vitest'

/** The service as its users start it: a process of its own. */
export function spawnService(env: Record<string, string>) {
  const port = 10_000 + Math.floor(Math.random() * 22_000)
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../server/src/main.ts')], {
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    printed: () => printed,
    /** Waits until a text is printed, or the process has ended. */
    until: (text: string) =>
      expect.poll(() => hasEnded() || printed.includes(text), { timeout: 20_000, interval: 20 }).toBe(true),
  }
}

/** Sends a signal and answers the exit code. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill(signal)
  return ended
}

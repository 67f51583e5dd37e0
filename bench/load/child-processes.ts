// The child processes of the benchmark: started, asked, and ended by their process id.

import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import type { Job } from './generator.ts'
import type { Sample } from './load.ts'

export interface Generator extends AsyncDisposable {
  pid: number
  ask: (job: Job) => Promise<Sample | undefined>
}

const alive = new Set<ChildProcess>()
let interrupted = false

/** Registers a child process to be ended by an interrupt. */
export function endOnInterrupt(child: ChildProcess): ChildProcess {
  alive.add(child)
  child.once('exit', () => alive.delete(child))
  if (interrupted) child.kill('SIGTERM')
  return child
}

/** Ends every registered child process, also later ones. Waiting for one then fails, and the failure cleans up. */
export function interrupt(): void {
  interrupted = true
  for (const child of alive) child.kill('SIGTERM')
}

const here = (file: string) => path.join(import.meta.dirname, file)

export function startGenerator(): Generator {
  const child = endOnInterrupt(fork(here('generator.ts')))
  return {
    pid: child.pid!,
    ask: async (job) => {
      const answer = next<{ sample?: Sample; error?: string }>(child)
      child.send(job)
      const { sample, error } = await answer
      if (error) throw new Error(`The load generator failed: ${error}`)
      return sample
    },
    [Symbol.asyncDispose]: () => end(child),
  }
}

export async function startEmptyRoute(): Promise<{ port: number } & AsyncDisposable> {
  const child = endOnInterrupt(fork(here('empty-route.ts')))
  const { port } = await next<{ port: number }>(child)
  return { port, [Symbol.asyncDispose]: () => end(child) }
}

/** The next message of a child; rejects when the child ends instead. */
export function next<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      child.off('message', onMessage)
      child.off('exit', onExit)
    }
    const onMessage = (message: unknown) => {
      settle()
      resolve(message as T)
    }
    const onExit = (code: number | null, signal: string | null) => {
      settle()
      reject(new Error(`${child.spawnargs.at(-1)} ended early (${signal ?? code}).`))
    }
    child.on('message', onMessage).on('exit', onExit)
  })
}

/** Ends a child with SIGTERM, and after half a minute with SIGKILL. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 30_000)
  await ended
  clearTimeout(force)
}

// This starts the child processes of the benchmark, sends them jobs, and ends them by their process id.

import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import type { Job } from './generator.ts'
import type { Sample } from './load.ts'

interface Worker<Task, Answer> extends AsyncDisposable {
  pid: number
  ask: (job: Task) => Promise<Answer>
}

export type Generator = Worker<Job, Sample | undefined>

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

export const startGenerator = (): Generator => startWorker<Job, Sample | undefined>(here('generator.ts'))

/** Runs a file as a process that takes one job at a time (worker.ts). */
export function startWorker<Task extends object, Answer>(file: string): Worker<Task, Answer> {
  const child = endOnInterrupt(fork(file))
  return {
    pid: child.pid!,
    ask: async (job) => {
      const message = next<{ answer: Answer; error?: string }>(child)
      child.send(job)
      const { answer, error } = await message
      if (error) throw new Error(`The load generator failed: ${error}`)
      return answer
    },
    [Symbol.asyncDispose]: () => end(child),
  }
}

export async function startEmptyRoute(): Promise<{ port: number } & AsyncDisposable> {
  const child = endOnInterrupt(fork(here('empty-route.ts')))
  const { port } = await next<{ port: number }>(child)
  return { port, [Symbol.asyncDispose]: () => end(child) }
}

/** Returns the next message of a child; rejects when the child ends instead. */
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

// This runs the operator's tool as a process of its own.

import { execFile } from 'node:child_process'
import path from 'node:path'
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'

/** The program of the tool. */
export const tool = path.join(import.meta.dirname, '../../server/src/parley.ts')

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

// This reads CPU time and memory of processes from Linux's /proc. On other systems every figure is NaN.

const ticksPerSecond = 100

/** Returns a process and its children: for PostgreSQL's main process, all of PostgreSQL. */
export function family(pid: number): number[] {
  try {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return [pid, ...all.map(Number).filter((child) => child !== pid && parentOf(child) === pid)]
  } catch {
    return []
  }
}

/** Returns the processes whose working directory is this one or lies below it. */
export function processesIn(folder: string): number[] {
  const works = (pid: string) => {
    try {
      return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`)
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && works(name))
    .map(Number)
}

export const parentOf = (pid: number): number => Number(statOf(pid)[1] ?? Number.NaN)

/** Returns the seconds of CPU that processes and their ended children have used so far. */
export const cpuSeconds = (pids: number[]): number =>
  pids.reduce((sum, pid) => {
    const fields = statOf(pid)
    return sum + fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) / ticksPerSecond
  }, 0)

/** Returns the seconds of CPU that the whole machine has used so far. */
export function machineSeconds(): number {
  try {
    const [user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
      .split('\n')[0]!
      .split(/ +/)
      .slice(1)
    return [user, nice, system, irq, softirq].reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  } catch {
    return Number.NaN
  }
}

/** Returns the resident memory in MiB: the most since `forgetPeak`. */
export const peakMemory = (pid: number): number => megabytes(`/proc/${pid}/status`, 'VmHWM')
/** Returns the resident memory in MiB. */
export const memory = (pid: number): number => megabytes(`/proc/${pid}/status`, 'VmRSS')

/** Returns the memory in MiB of processes that share some of it; shared memory counts once. */
export const sharedMemory = (pids: number[]): number =>
  pids.reduce((sum, pid) => sum + (megabytes(`/proc/${pid}/smaps_rollup`, 'Pss') || 0), 0) || Number.NaN

export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // Then the peak is the one since its start.
  }
}

/** Returns the fields after the name, which may contain anything: state, parent, … */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

function megabytes(file: string, field: string): number {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}

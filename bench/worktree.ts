import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface Worktree extends AsyncDisposable {
  root: string
  /** The short hash of its commit. */
  commit: string
}

/** Checks out a git ref into a temporary directory, with its packages; disposing removes it. */
export async function checkOut(root: string, ref: string): Promise<Worktree> {
  await using stack = new AsyncDisposableStack()
  const { stdout } = await run('git', ['rev-parse', '--short', '--verify', `${ref}^{commit}`], { cwd: root })
  const commit = stdout.trim()
  const parent = await mkdtemp(path.join(os.tmpdir(), 'parley-compare-'))
  stack.defer(() => rm(parent, { recursive: true, force: true }))
  const there = path.join(parent, commit)
  await run('git', ['worktree', 'add', '--detach', there, commit], { cwd: root })
  stack.defer(async () => void (await run('git', ['worktree', 'remove', '--force', there], { cwd: root })))
  // It has packages of its own: a package that both share would mix their state in this process.
  await run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: there })
  const open = stack.move()
  return { root: there, commit, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

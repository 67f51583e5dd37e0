import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
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
  const same = (await lockOf(root)) === (await lockOf(there))
  if (same) await linkPackages(root, there)
  else await run('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: there })
  const open = stack.move()
  return { root: there, commit, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

const lockOf = (root: string) => readFile(path.join(root, 'package-lock.json'), 'utf8')

/** Shares the packages, but not the links to workspaces: those must lead to the code of that ref. */
async function linkPackages(from: string, to: string): Promise<void> {
  const modules = path.join(to, 'node_modules')
  await mkdir(modules)
  for (const name of await readdir(path.join(from, 'node_modules'))) {
    const source = path.join(from, 'node_modules', name)
    if (name === '@parley')
      await cp(source, path.join(modules, name), { recursive: true, verbatimSymlinks: true })
    else await symlink(source, path.join(modules, name))
  }
}

// This finds the release before this one, as a tree of its own that a service can be started from.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { CannotRun } from './run.ts'

const run = promisify(execFile)
const root = path.dirname(import.meta.dirname)

/**
 * Unpacks the release before into `directory`: the commit that `PARLEY_BEFORE` names, else the newest tag of a version
 * (`v1.2.3`) that this commit is not itself, else this commit. Its dependencies are those of this tree when
 * both have the same lock, else they are installed.
 *
 * @returns its name, and the file of its service
 */
export async function unpackReleaseBefore(directory: string): Promise<{ name: string; main: string }> {
  const name = await findReleaseBefore()
  const tree = path.join(directory, 'before')
  await mkdir(tree)
  const archive = path.join(directory, 'before.tar')
  await git('archive', '--output', archive, name)
  await run('tar', ['-xf', archive, '-C', tree])
  const locks = [root, tree].map((folder) => readFile(path.join(folder, 'package-lock.json'), 'utf8'))
  const [here, there] = await Promise.all(locks)
  if (here === there) await shareDependencies(tree)
  else await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: tree })
  return { name, main: path.join(tree, 'server/src/main.ts') }
}

async function findReleaseBefore(): Promise<string> {
  if (!existsSync(path.join(root, '.git')))
    throw new CannotRun('it needs a clone of the repository, with its tags')
  const asked = process.env.PARLEY_BEFORE
  if (asked) return asked
  const here = (await git('tag', '--points-at', 'HEAD')).split('\n')
  const tags = await git('tag', '--merged', 'HEAD', '--sort=-version:refname', '--list', 'v[0-9]*')
  return tags.split('\n').find((tag) => tag && !here.includes(tag)) ?? 'HEAD'
}

/** Links the packages of this tree into another one, whose workspaces stay its own. */
async function shareDependencies(tree: string): Promise<void> {
  for (const workspace of ['', 'sdk', 'server', 'testing']) {
    const from = path.join(root, workspace, 'node_modules')
    if (!existsSync(from)) continue
    const to = path.join(tree, workspace, 'node_modules')
    await mkdir(to)
    for (const name of await readdir(from))
      if (name !== '@parley') await symlink(path.join(from, name), path.join(to, name))
  }
  const scope = path.join(tree, 'node_modules/@parley')
  await mkdir(scope)
  for (const name of ['sdk', 'server']) await symlink(path.join(tree, name), path.join(scope, name))
}

const git = async (...args: string[]): Promise<string> => {
  const { stdout } = await run('git', args, { cwd: root }).catch((error: Error) => {
    throw new CannotRun(`git does not read this clone: ${error.message}`)
  })
  return stdout.trim()
}

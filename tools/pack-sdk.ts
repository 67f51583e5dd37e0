// This script makes the package of the SDK in sdk/dist: JavaScript and declarations, without a private mark.
//
//     node tools/pack-sdk.ts        builds, and writes the tarball beside it
//
// In the repository everything imports the sources of the SDK, so nothing needs this build.

import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { manifestOf, originOf, pack, root, toDeclared } from './packing.ts'
import { featureNames, sdkTables } from './sdk-tables.ts'

const sdk = path.join(root, 'sdk')
const dist = path.join(sdk, 'dist')
const run = promisify(execFile)

/** Builds the package and packs it. Returns the path of the tarball. */
export async function packSdk(): Promise<string> {
  await rm(dist, { recursive: true, force: true })
  await run(process.execPath, [
    path.join(root, 'node_modules/@typescript/native/bin/tsc'),
    '--project',
    path.join(sdk, 'tsconfig.build.json'),
  ])
  await mkdir(dist, { recursive: true })
  await toDeclared(path.join(dist, 'lib'))
  await writeFile(path.join(dist, 'lib/slices.js'), sdkTables())
  const types = path.join(dist, 'lib/slices.d.ts')
  await writeFile(types, withTables(await readFile(types, 'utf8')))
  await cp(path.join(sdk, 'examples'), path.join(dist, 'examples'), { recursive: true })
  return pack('sdk', await manifest())
}

/** Returns the package.json as it is published. */
async function manifest() {
  const { dependencies } = await manifestOf('sdk')
  const entry = (file: string) => ({ types: `./lib/${file}.d.ts`, default: `./lib/${file}.js` })
  return {
    ...(await originOf('sdk')),
    sideEffects: false,
    engines: { node: '>=22' },
    files: ['lib', 'examples'],
    types: './lib/index.d.ts',
    exports: {
      '.': entry('index'),
      './slices': entry('slices'),
      './agent': entry('agent/index'),
      './contract': entry('contract/index'),
      './files': entry('files/index'),
      './unseen': entry('unseen'),
      './package.json': './package.json',
    },
    dependencies,
    publishConfig: { access: 'public' },
  }
}

/** Returns the declarations of these tables, in place of those of the contract. */
function withTables(declarations: string): string {
  const whole = "export * from './contract/features.js';\n"
  if (!declarations.includes(whole)) throw new Error('The declarations of slices do not export the features.')
  return [
    "import type * as features from './contract/features.js';\n",
    declarations.replace(whole, ''),
    ...featureNames.map((name) => `export declare const ${name}: SliceOf<typeof features.${name}>;\n`),
  ].join('')
}

if (import.meta.main) console.log(path.relative(process.cwd(), await packSdk()))

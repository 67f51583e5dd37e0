// This script makes the package of the MCP server in mcp/dist: JavaScript, with the command parley-mcp.
//
//     node --disable-warning=ExperimentalWarning tools/pack-mcp.ts

import { globSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { manifestOf, originOf, pack, root } from './packing.ts'

const source = path.join(root, 'mcp/src')
const lib = path.join(root, 'mcp/dist/lib')

/** Builds the package and packs it. Returns the path of the tarball. */
export async function packMcp(): Promise<string> {
  await rm(path.dirname(lib), { recursive: true, force: true })
  await mkdir(lib, { recursive: true })
  for (const file of globSync('*.ts', { cwd: source })) {
    const text = stripTypeScriptTypes(await readFile(path.join(source, file), 'utf8'))
    const built = text.replaceAll(/from '\.\/([\w-]+)\.ts'/g, `from './$1.js'`)
    await writeFile(path.join(lib, file.replace(/\.ts$/, '.js')), built)
  }
  const { dependencies } = await manifestOf('mcp')
  return pack('mcp', {
    ...(await originOf('mcp')),
    bin: { 'parley-mcp': './lib/main.js' },
    engines: { node: '>=22.18' },
    files: ['lib'],
    exports: { './package.json': './package.json' },
    dependencies,
    publishConfig: { access: 'public' },
  })
}

if (import.meta.main) console.log(path.relative(process.cwd(), await packMcp()))

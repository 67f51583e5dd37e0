// This script makes the package of the service in server/dist: JavaScript of its sources, the SQL, and the web client that is
// built.
//
//     node tools/pack-server.ts     builds, and writes the tarball beside it
//
// Node does not read TypeScript below node_modules, so the types are removed. The folders lie in the package as they lie in the
// repository, so the paths between them are the same. What the service imports of the SDK is there too.

import { existsSync, globSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { manifestOf, originOf, pack, root } from './packing.ts'

const dist = path.join(root, 'server/dist')
/** These are copied as they are. */
const copied = ['server/migrations', 'server/cluster', 'web/dist', 'tools/v8-flags.mjs', 'tools/parley.mjs']

/** Builds the package and packs it. Returns the path of the tarball. */
export async function packServer(): Promise<string> {
  if (!existsSync(path.join(root, 'web/dist/docs/start.html')))
    throw new Error('The web client is not built: node tools/build-web.mjs builds it.')
  await rm(dist, { recursive: true, force: true })
  const sources = new Set(globSync('server/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }))
  // A set that grows is gone through to its end.
  for (const source of sources) for (const imported of await build(source)) sources.add(imported)
  const isWanted = (file: string) => path.basename(file) !== 'stamp.json'
  for (const name of copied)
    await cp(path.join(root, name), path.join(dist, name), { recursive: true, filter: isWanted })
  const { name, version, type, ...own } = await manifestOf('server')
  const { '@parley/sdk': _, ...dependencies } = own.dependencies
  // The service reads its version here, and that of the job queue.
  const read = { name, version, type, dependencies }
  await writeFile(path.join(dist, 'server/package.json'), JSON.stringify(read))
  const { optionalDependencies: nodes } = await manifestOf('.')
  return pack('server', {
    ...(await originOf('server')),
    engines: { node: '>=20' },
    bin: { parley: 'tools/parley.mjs' },
    files: ['server', 'sdk', 'web', 'tools'],
    exports: { './package.json': './package.json' },
    dependencies,
    optionalDependencies: { ...own.optionalDependencies, ...nodes },
    publishConfig: { access: 'public' },
  })
}

/** Writes a source as JavaScript. Returns the sources that it names. */
async function build(source: string): Promise<Set<string>> {
  const file = path.join(dist, source.replace(/\.ts$/, '.js'))
  await mkdir(path.dirname(file), { recursive: true })
  const text = stripTypeScriptTypes(await readFile(path.join(root, source), 'utf8'))
  const named = new Set<string>()
  await writeFile(file, withPaths(text, source, named))
  return named
}

/** Names the files that are in the package: in imports, and where a thread or a process is started on a file. */
function withPaths(text: string, source: string, named: Set<string>): string {
  const folder = path.posix.dirname(source.replaceAll(path.sep, '/'))
  return text.replaceAll(/'(\.{1,2}|@parley\/sdk)\/([\w./-]+)\.ts'/g, (_, start: string, rest: string) => {
    const from = start === '@parley/sdk' ? 'sdk/src' : path.posix.join(folder, start)
    if (!existsSync(path.join(root, from, `${rest}.ts`))) throw new Error(`${source} names no file: ${rest}`)
    named.add(`${from}/${rest}.ts`)
    const target = path.posix.relative(folder, `${from}/${rest}.js`)
    return `'${target.startsWith('.') ? target : `./${target}`}'`
  })
}

if (import.meta.main) console.log(path.relative(process.cwd(), await packServer()))

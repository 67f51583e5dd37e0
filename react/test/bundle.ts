import path from 'node:path'
import { build, type Rolldown } from 'vite'

export type Version = '18' | '19'

const bundled = new Map<string, Promise<string>>()

/** Bundles a program with a version of React, whose strict mode mounts everything twice: once for all files of a worker. */
export function bundle(file: string, version: Version, folder = import.meta.dirname): Promise<string> {
  const key = `${version} ${path.join(folder, file)}`
  const code = bundled.get(key) ?? buildWith(file, version, folder)
  bundled.set(key, code)
  return code
}

async function buildWith(file: string, version: Version, folder: string): Promise<string> {
  const other = version === '19' ? '' : `-${version}`
  const built = (await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { react: `react${other}`, 'react-dom': `react-dom${other}` } },
    define: { 'process.env.NODE_ENV': '"development"' },
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: { input: path.join(folder, file) },
    },
  })) as Rolldown.RolldownOutput
  return built.output[0].code
}

/** Bundles what a site imports of the hooks, without React and the SDK. Returns the code and the modules in it. */
export async function bundleOf(names: string): Promise<{ code: string; modules: string[] }> {
  const entry = 'entry-of-a-site'
  const built = (await build({
    root: path.join(import.meta.dirname, '..'),
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: entry,
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) =>
          id === entry
            ? `export ${names} from '${path.join(import.meta.dirname, '../src/index.ts')}'`
            : undefined,
      },
    ],
    build: {
      write: false,
      minify: true,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        external: /^react$|^@parley\/sdk/,
      },
    },
  })) as Rolldown.RolldownOutput
  const [{ code, moduleIds }] = built.output
  return { code, modules: moduleIds.map((id) => path.basename(id, '.ts')) }
}

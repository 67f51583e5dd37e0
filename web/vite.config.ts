import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
// By its path, so that Vite bundles it: the system's Node may be too old to load TypeScript.
import { contract } from '../sdk/src/contract/index.ts'
import { sdkTables } from '../tools/sdk-tables.ts'
import { emoji } from './emoji.ts'
import { installable } from './installable.ts'

const service = process.env.PARLEY_URL ?? 'http://127.0.0.1:8080'

/**
 * The first segments of the paths that are not pages: those of the contract, the docs, and what the worker alone answers.
 */
const served = new Set([
  'docs',
  'assets',
  'metrics',
  'livez',
  'media-of-page',
  // What other sites show is no page of the client: its worker must not answer there.
  'embed',
  'embed.js',
  ...Object.values(contract).map(({ path }) => path.split('/')[1]),
])

/**
 * Makes the first paint early: src/boot.ts is a script that runs before it, which a module does not,
 * and the stylesheet comes before the scripts, which take all connections. The font is shown only when it is there for
 * the first paint (src/fonts.css), so it begins to load with the page.
 */
const firstPaint = (): Plugin => ({
  name: 'first-paint',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'chunk', id: `${import.meta.dirname}/src/boot.ts`, name: 'boot' })
  },
  transformIndexHtml: {
    order: 'post',
    handler(page, { bundle = {} }) {
      const boot = Object.values(bundle).find(({ name }) => name === 'boot')
      const [style = ''] = /<link rel="stylesheet"[^>]*>/.exec(page) ?? []
      const rooms = Object.values(bundle).find(
        (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith('/src/routes.tsx')),
      )
      const parts = rooms?.type === 'chunk' ? [rooms.fileName, ...rooms.imports] : []
      const loaded = parts.filter((name) => !page.includes(name)).map((name) => `/${name}`)
      const script = `<script src="/${boot?.fileName}" data-rooms="${loaded.join(' ')}"></script>`
      const font = Object.keys(bundle).find((name) => /-latin-wght-normal.*\.woff2$/.test(name))
      const early = `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}" />`
      const first = `${style}\n    ${script}\n    ${early}\n    `
      return page.replace(style, '').replace('<title>', () => `${first}<title>`)
    },
  },
})

/**
 * The service worker (src/worker.ts): it has a name of its own, and knows the files of its build. What a
 * notification shows is one of them.
 */
const offline = (): Plugin => ({
  name: 'offline',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'chunk', id: `${import.meta.dirname}/src/worker.ts`, fileName: 'worker.js' })
  },
  generateBundle(_options, bundle) {
    // A wallet on another device needs a connection; fonts of other alphabets are seldom needed.
    const isNeeded = (file: (typeof bundle)[string]) =>
      file.type === 'chunk'
        ? file.fileName !== 'worker.js' && !file.moduleIds.some((id) => id.includes('/@walletconnect/'))
        : /\.css$|-latin-wght-normal.*\.woff2$|\.svg$|\/(?:icon-192|badge)-[^/]*\.png$/.test(file.fileName)
    const files = Object.values(bundle)
      .filter(isNeeded)
      .map(({ fileName }) => `/${fileName}`)
    const named = (name: string) => files.find((file) => file.startsWith(`/assets/${name}-`))
    const built = { files, served: [...served], icon: named('icon-192'), badge: named('badge') }
    const worker = bundle['worker.js']
    if (worker?.type === 'chunk') worker.code = worker.code.replace('__BUILT__', JSON.stringify(built))
  },
})

/** The client sends requests by tables of methods and paths: it would load models and texts of the contract for nothing. */
export const tables = (): Plugin => ({
  name: 'sdk-tables',
  apply: 'build',
  load: { filter: { id: /\/sdk\/src\/slices\.ts$/ }, handler: () => sdkTables() },
})

export const build = {
  target: ['chrome123', 'firefox120', 'safari17.5'],
  // The page's content security policy allows inline images only.
  assetsInlineLimit: 0,
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
  license: true,
}

/**
 * Few files: each costs a request and a turn of the browser, and small ones compress worse. What the first load
 * needs is one file (the boot script and the worker stand alone); what several of the later parts need is put
 * together up to 12 KB. No file imports one that imports it (test/size.test.ts).
 */
interface Graph {
  getModuleInfo: (id: string) => { importedIds: readonly string[] } | null
}
const closures = new Map<string, Set<string>>()

/** Returns what a file imports, itself and by way of others, without what loads when it is needed. */
function importedBy(file: string, graph: Graph): Set<string> {
  const known = closures.get(file)
  if (known) return known
  const found = new Set([`${import.meta.dirname}/src/${file}`])
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  closures.set(file, found)
  return found
}
const partOf = (name: string, file: string) => ({
  debugName: name,
  name: (id: string, graph: Graph) => (importedBy(file, graph).has(id) ? name : null),
})

const ofSeveral = { minShareCount: 2, includeDependenciesRecursively: false }
const output = {
  codeSplitting: {
    groups: [
      { name: 'client', tags: ['$initial' as const], test: /^(?!.*\/src\/(?:boot\.ts$|worker[./]))/ },
      // They use each other where they begin, so parts that import one another could not begin. Wallets on other devices
      // bring copies of their own, which load with them.
      { name: 'hashes', test: /^(?!.*\/@walletconnect\/).*\/@noble\/hashes\// },
      // Only keys of wallets of Solana use these, and nothing of the other curve imports them.
      {
        name: 'edwards',
        test: /^(?!.*\/@walletconnect\/).*\/@noble\/curves\/esm\/(?:ed25519|abstract\/(?:edwards|montgomery))\.js$/,
        includeDependenciesRecursively: false,
      },
      { name: 'curves', test: /^(?!.*\/@walletconnect\/).*\/@noble\/curves\// },
      // What comes after the first load: what sends requests, and what a wallet that is signed in sees.
      partOf('service', 'service/api.ts'),
      partOf('rooms', 'routes.tsx'),
      // What these use: put together with rooms that show something, they would import one another.
      { ...ofSeveral, name: 'links', test: /\/web\/src\/(?:names\/checksum|door\/link)\./ },
      { ...ofSeveral, name: 'keys', test: /\/web\/src\/keys\/.*\.ts$/ },
      {
        ...ofSeveral,
        name: 'ethereum',
        test: /^(?!.*\/@walletconnect\/).*\/node_modules\/(?:viem|ox|abitype)\//,
      },
      // What several parts show is in two files, without keys and wallets, but with all that it uses itself:
      // parts that are put together from several rooms each would import one another too.
      { ...ofSeveral, name: 'widgets', test: /\/node_modules\/(?:@tanstack|@radix-ui|lucide-react)\// },
      {
        ...ofSeveral,
        name: 'shown',
        test: /\/web\/src\/(?!keys\/(?!view\/SignInAgain)|sign-in|door|profile\/(?!Fact)|names\/checksum|seal\/QrCode)/,
      },
      {
        name: 'part',
        test: /^(?!.*\/@walletconnect\/)/,
        minShareCount: 2,
        entriesAware: true,
        entriesAwareMergeThreshold: 12_000,
      },
    ],
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), firstPaint(), installable(), offline(), tables(), emoji()],
  build: { ...build, rolldownOptions: { output } },
  server: {
    proxy: Object.fromEntries(Array.from(served, (segment) => [`^/${segment}([/?]|$)`, service])),
  },
})

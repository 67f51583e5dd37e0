import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
// By its path, so that Vite bundles it: the system's Node may be too old to load TypeScript.
import { contract } from '../sdk/src/contract/index.ts'

const service = process.env.PARLEY_URL ?? 'http://127.0.0.1:8080'

/**
 * The first segments of the paths that the service answers: those of the contract, and its docs.
 */
const served = new Set(['docs', ...Object.values(contract).map(({ path }) => path.split('/')[1])])

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // The page's content security policy allows inline images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: true,
  },
  server: {
    proxy: Object.fromEntries(Array.from(served, (segment) => [`^/${segment}([/?]|$)`, service])),
  },
})

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
// By its path, so that Vite bundles it: the system's Node may be too old to load TypeScript.
import { contract } from '../sdk/src/contract/index.ts'

const service = process.env.PARLEY_URL ?? 'http://127.0.0.1:8080'

/** What the service answers itself: the first segments of the contract's paths, and its docs. */
const served = new Set(['docs', ...Object.values(contract).map(({ path }) => path.split('/')[1])])

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy of the page allows images from here, and everything else only as files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: true,
  },
  server: {
    proxy: Object.fromEntries(Array.from(served, (segment) => [`^/${segment}([/?]|$)`, service])),
  },
})

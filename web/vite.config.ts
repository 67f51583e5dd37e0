import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const service = process.env.PARLEY_URL ?? 'http://127.0.0.1:8080'

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
    proxy: Object.fromEntries(['/v1', '/users', '/signin', '/docs'].map((path) => [path, service])),
  },
})

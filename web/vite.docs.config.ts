// The build of what the service adds to the API reference, and of the style and script of the other pages of docs. It is one of its own, so that it shares no
// files with the client: those would be more and larger for the client's first load.

import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { build } from './vite.config.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tailwindcss()],
  build: {
    ...build,
    emptyOutDir: false,
    license: { fileName: '.vite/docs-license.md' },
    rolldownOptions: { input: ['src/docs/docs.ts', 'src/docs/pages.ts'] },
  },
})

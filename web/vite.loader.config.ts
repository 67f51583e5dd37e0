// The build of the script that a site includes: one file of one name, which leaves nothing behind but its element.

import { defineConfig } from 'vite'
import { build } from './vite.config.ts'

export default defineConfig({
  root: import.meta.dirname,
  build: {
    ...build,
    emptyOutDir: false,
    license: false,
    rolldownOptions: {
      input: 'src/embed/loader/loader.ts',
      output: { format: 'iife', entryFileNames: 'embed.js' },
    },
  },
})

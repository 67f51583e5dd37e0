// The build of the page that other sites show in a frame. It is one of its own, so that it shares no files with the client: those
// would be more and larger for both. Preact takes the place of React in it, which is five times as large.

import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'
import { build, tables } from './vite.config.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tailwindcss(), tables()],
  resolve: {
    alias: {
      'react-dom/client': 'preact/compat/client',
      'react-dom': 'preact/compat',
      'react/jsx-runtime': 'preact/jsx-runtime',
      react: 'preact/compat',
    },
  },
  build: {
    ...build,
    emptyOutDir: false,
    license: { fileName: '.vite/embed-license.md' },
    rolldownOptions: { input: 'embed.html', output: { codeSplitting: false } },
  },
})

// This script does what `npm start` needs before the service, in one process of any Node from 20 on. Its messages go to the terminal;
// the flags for the service go to file descriptor 3.

import { spawnSync } from 'node:child_process'
import { writeSync } from 'node:fs'
import path from 'node:path'
import { flags } from './v8-flags.mjs'
import { isBuilt, root } from './web-stamp.mjs'

await import('./ensure-installed.mjs')
if (!isBuilt()) {
  // Node is one of the packages, and the build needs that one.
  const PATH = `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`
  const build = path.join(root, 'tools/build-web.mjs')
  const { status } = spawnSync('node', [build], { stdio: 'inherit', env: { ...process.env, PATH } })
  if (status !== 0) process.exit(status ?? 1)
}
writeSync(3, flags.join('\n'))

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { settings } from '../server/src/config/table.ts'
import { newFolder } from '../testing/service/files.ts'

const root = path.join(import.meta.dirname, '..')
const files = ['package.json', 'docs/settings.md', 'tools/start.sh', 'tools/start-help.mjs']

/** Runs `npm start` in a folder that has nothing but these files: no package is installed. */
async function start(...args: string[]) {
  await using folder = await newFolder('start')
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder.path, file)), { recursive: true })
    cpSync(path.join(root, file), path.join(folder.path, file))
  }
  const { status, stdout, stderr } = spawnSync('npm', ['start', '--', ...args], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...process.env, npm_config_loglevel: 'silent' },
  })
  return { status, stdout, stderr }
}

test('--help lists every setting once, and needs no package', async () => {
  const { status, stdout } = await start('--help')
  expect(status).toBe(0)
  const lines = stdout.split('\n')
  for (const { name } of Object.values(settings))
    expect(
      lines.filter((line) => line.startsWith(`  ${name} `)),
      name,
    ).toHaveLength(1)
  expect(stdout).toContain('port to listen on (8080)')
})

test.each([
  [['--port', '9000'], '"--port"', 'PORT=… npm start'],
  [['--port=9000'], '"--port=9000"', 'PORT=9000 npm start'],
  [['--verbose'], '"--verbose"', 'PORT=9000 npm start'],
])('%j is refused with what to do, before anything is installed', async (args, named, hint) => {
  const { status, stderr } = await start(...args)
  expect(status).toBe(2)
  expect(stderr).toContain(named)
  expect(stderr).toContain(hint)
})

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, realpath } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createClient, signInWith } from '@parley/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newFolder } from '../testing/service/files.ts'
import { leash } from '../testing/service/leash.ts'
import { freePort } from '../testing/service/ports.ts'
import { createServiceProcess } from '../testing/service/service-process.ts'
import { packServer } from './pack-server.ts'
import { manifestOf } from './packing.ts'
import { installInto, problemsOf } from './release.ts'

const run = promisify(execFile)
let tarball: string
/** The folder of the installation. It is not in memory: programs may not run there. */
let folder: string
let bin: string
const base64data =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
/** This makes Node say that it is too old, and removes what it cannot do. */
const asOldNode = [
  '--import',
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.1.0'}});process.execve=undefined`,
]

beforeAll(async () => {
  tarball = await packServer()
  folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'parley-package-')))
  await installInto(folder, tarball)
  bin = path.join(folder, 'node_modules/.bin/parley')
}, 300_000)
// Ends what a test that failed has left there, and removes the folder.
afterAll(() => leash(folder)[Symbol.asyncDispose](), 300_000)

/** Prepares the installed service. Its data are in the folder where it runs. */
const prepare = async (command: string[], env: Record<string, string> = {}) =>
  createServiceProcess({
    port: await freePort(),
    command,
    cwd: folder,
    env: { DRAIN_SECONDS: '0', ...env },
  })

test('what is installed serves, decodes a picture, shows its pages, and ends at SIGTERM', async () => {
  await using service = await prepare([process.execPath, bin])
  await service.start()
  expect(service.printed().split('\n')[0]).toBe(`Parley data  ${folder}/data (DATA_DIR)`)
  const account = privateKeyToAccount(generatePrivateKey())
  const address = account.address.toLowerCase()
  const { token } = await signInWith(
    { baseUrl: service.url },
    { address, signMessage: (message) => account.signMessage({ message }) },
  )
  const client = createClient({ baseUrl: service.url, token })
  await client.sendDirectMessage({ body: { fromaddr: address, toaddr: 'bob', message: 'gm' } })
  expect(await client.listDirectMessages({ address })).toMatchObject([{ message: 'gm' }])
  await client.createImage({ body: { addr: address, base64data } })
  expect(await client.getPicture({ addr: address })).toMatchObject([
    { base64data: expect.stringMatching(/^data:image\/webp/) },
  ])
  const page = async (name: string) => (await fetch(`${service.url}${name}`)).text()
  expect(await page('/')).toContain('<script type="module"')
  expect(await page('/docs/settings')).toContain('DATA_DIR')
  expect(await page('/docs/index.html')).toContain('swagger')
  expect(await service.end('SIGTERM')).toBe(0)
})

test('an older Node starts the one of the package, passes signals on and ends with its code', async () => {
  const old = [process.execPath, ...asOldNode, bin]
  await using service = await prepare([...old, 'start'], { INSTANCES: '2' })
  await service.start()
  expect(await service.end('SIGTERM')).toBe(0)
  const failure = (args: string[], env = {}) =>
    run(old[0]!, [...old.slice(1), ...args], { cwd: folder, env: { PATH: process.env.PATH, ...env } }).catch(
      ({ code, stderr }) => ({ code, stderr }),
    )
  expect(await failure([], { PORT: 'eighty' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('PORT must be a whole number'),
  })
  expect(await failure(['nonsense'])).toMatchObject({ code: 2 })
})

test('npx that is ended ends the service', async () => {
  const port = String(await freePort())
  const npx = spawn('npm', ['exec', '--offline', '--', 'parley'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: os.homedir(), PORT: port, DRAIN_SECONDS: '0' },
    stdio: 'ignore',
  })
  const ended = once(npx, 'exit')
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    )
  while (!(await answers())) await sleep(50)
  npx.kill('SIGTERM')
  await ended
  while (await answers()) await sleep(50)
  // The database is free again.
  await using service = await prepare([process.execPath, bin])
  await expect
    .poll(() =>
      service.start().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
})

test('without a Node that is new enough it says what is needed', async () => {
  await using bare = await newFolder('bare')
  await mkdir(path.join(bare.path, 'tools'))
  for (const file of ['package.json', 'tools/parley.mjs'])
    await cp(path.join(folder, 'node_modules/@parley/server', file), path.join(bare.path, file))
  await expect(
    run(process.execPath, [...asOldNode, path.join(bare.path, 'tools/parley.mjs')]),
  ).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Parley needs Node 26 or newer: this is/),
  })
})

test('the package has the versions of the service, and nothing but the build', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball])
  const files = stdout.trim().split('\n')
  for (const file of ['README.md', 'LICENSE', 'server/migrations/0001_ids.sql', 'web/dist/docs/start.html'])
    expect(files).toContain(`package/${file}`)
  expect(files.filter((file) => /\.test\.|\.tsx?$|\.map$|stamp\.json/.test(file))).toEqual([])
  const [own, whole] = [await manifestOf('server'), await manifestOf('.')]
  const packed = await manifestOf('server/dist')
  expect(packed.private).toBeUndefined()
  expect({ ...packed.dependencies, '@parley/sdk': whole.version }).toEqual(own.dependencies)
  expect(packed.optionalDependencies).toEqual({ ...own.optionalDependencies, ...whole.optionalDependencies })
})

test('publint finds nothing', async () => {
  expect(await problemsOf(tarball)).toEqual([])
})

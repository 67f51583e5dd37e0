// The image is built and started, where buildah and mmdebstrap are installed (apt-get install buildah mmdebstrap) and this
// runs as root. Its base is Debian with the Node of this repository, because the usual one comes from Docker Hub.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createClient, signInWith } from '@parley/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const exec = promisify(execFile)
const run = async (program: string, ...args: string[]) =>
  (await exec(program, args, { cwd: root, maxBuffer: 2 ** 26 })).stdout.trim()
const has = (program: string) => run(program, '--version').then(Boolean, () => false)
const isolated = ['--isolation', 'chroot']

/** Debian with Node, npm and the account 1000, and the certificates that this machine trusts. */
async function makeBase(folder: string): Promise<string> {
  const files = path.join(folder, 'base')
  await run(
    'mmdebstrap',
    '--variant=minbase',
    '--include=ca-certificates,libatomic1',
    'bookworm',
    `${folder}/base.tar`,
  )
  await mkdir(`${files}/usr/local/bin`, { recursive: true })
  await cp(process.execPath, `${files}/usr/local/bin/node`)
  const npmFolder = path.join(await run('sh', '-c', 'readlink -f "$(command -v npm)"'), '../..')
  await cp(npmFolder, `${files}/usr/local/lib/node_modules/npm`, { recursive: true })
  await mkdir(`${files}/etc/ssl/certs`, { recursive: true })
  const certificates = 'etc/ssl/certs/ca-certificates.crt'
  await cp(`/${certificates}`, `${files}/${certificates}`, { dereference: true })
  const base = await run('buildah', 'from', 'scratch')
  await run('buildah', 'add', '--quiet', base, `${folder}/base.tar`, '/')
  await run('buildah', 'add', '--quiet', base, files, '/')
  const npm = '../lib/node_modules/npm/bin/npm-cli.js'
  const prepare = `ln -s ${npm} /usr/local/bin/npm && useradd --uid 1000 node`
  await run('buildah', 'run', ...isolated, base, '--', 'sh', '-c', prepare)
  await run('buildah', 'config', '--env', `NODE_EXTRA_CA_CERTS=/${certificates}`, base)
  const image = `localhost/parley-test-base-${process.pid}`
  await run('buildah', 'commit', '--quiet', '--rm', base, image)
  return image
}

/** Resolves when the service answers. */
async function answers(url: string, service: ChildProcess): Promise<void> {
  while (service.exitCode === null) {
    if (
      await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('The service has ended before it answered.')
}

test('the image is built; it serves as a plain user who cannot write its files, and ends at SIGTERM', async ({
  skip,
}) => {
  const can = process.getuid?.() === 0 && (await has('buildah')) && (await has('mmdebstrap'))
  skip(!can, 'needs root, buildah and mmdebstrap')
  await using stack = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-image-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const base = await makeBase(folder)
  stack.defer(async () => void (await run('buildah', 'rmi', '--force', base)))
  const image = `localhost/parley-test-${process.pid}`
  // Only what is committed or would be: as a clone.
  const clone = path.join(folder, 'clone')
  await run('git', 'clone', '--quiet', '--no-hardlinks', root, clone)
  const build = ['--file', `${clone}/deploy/Containerfile`, '--tag', image, '--format', 'docker', clone]
  await run('buildah', 'bud', '--quiet', ...isolated, '--build-arg', `BASE=${base}`, ...build)
  stack.defer(async () => void (await run('buildah', 'rmi', '--force', image)))
  const container = await run('buildah', 'from', image)
  stack.defer(async () => void (await run('buildah', 'rm', container)))

  const { OCIv1: of } = JSON.parse(await run('buildah', 'inspect', '--type', 'image', image))
  expect(of.config).toMatchObject({ User: '1000:1000', StopSignal: 'SIGTERM', Volumes: { '/data': {} } })
  const inside = ['run', ...isolated, '--env', 'PORT=18080', '--env', 'HOST=127.0.0.1', container, '--']
  const service = spawn('buildah', [...inside, ...of.config.Cmd], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const output of [service.stdout, service.stderr])
    output.setEncoding('utf8').on('data', (text: string) => void (said += text))
  stack.defer(() => void service.kill('SIGKILL'))
  const url = 'http://127.0.0.1:18080'
  await answers(url, service)
  const account = privateKeyToAccount(generatePrivateKey())
  const { token } = await signInWith(
    { baseUrl: url },
    { address: account.address, signMessage: (message) => account.signMessage({ message }) },
  )
  const client = createClient({ baseUrl: url, token })
  const toaddr = privateKeyToAccount(generatePrivateKey()).address
  const body = { fromaddr: account.address, toaddr, message: 'from a container' }
  expect(await client.sendDirectMessage({ body })).toMatchObject([{ message: 'from a container' }])
  expect(await (await fetch(`${url}/docs/start`)).text()).toContain('Begin here')
  expect(await run('buildah', ...inside, 'id', '-u')).toBe('1000')
  await expect(run('buildah', ...inside, 'sh', '-c', 'echo x > /parley/package.json')).rejects.toThrow()

  const [pid] = (await run('pgrep', '-f', '^node .*server/src/main.ts', '--uid', '1000')).split('\n')
  process.kill(Number(pid), 'SIGTERM')
  const [code] = await once(service, 'exit')
  expect(code, said.slice(-2000)).toBe(0)
}, 900_000)

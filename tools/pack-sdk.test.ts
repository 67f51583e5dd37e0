import { execFile, spawn } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newFolder } from '../testing/service/files.ts'
import { newApiKeyOf } from '../testing/people/secrets.ts'
import { newToken, newWallet, useService } from '../testing/service/service.ts'
import { packMcp } from './pack-mcp.ts'
import { packReact } from './pack-react.ts'
import { packSdk } from './pack-sdk.ts'
import { installInto, problemsOf, publishCommand } from './release.ts'

const service = useService()

const root = path.join(import.meta.dirname, '..')
const run = promisify(execFile)

/** A site writes this program. A wrong body must not compile, so the types are those of the contract. */
const program = `
import { ApiError, type ChatItem, createClient, createClientOf, pages, readEvents } from '@parley/sdk'
import { directMessages, inbox } from '@parley/sdk/slices'

declare const process: { env: Record<string, string> }
const { BASE_URL: baseUrl = '', TOKEN: token = '', ME: me = '', YOU: you = '' } = process.env
const parley = createClient({ baseUrl, token })
const small = createClientOf({ baseUrl, token }, { ...directMessages, ...inbox })

const stop = new AbortController()
const opened = Promise.withResolvers<void>()
const heard = (async () => {
  for await (const event of readEvents({ baseUrl, token }, { signal: stop.signal, onOpen: opened.resolve }))
    if (event.type === 'direct-message') return event.item.message
})()
await opened.promise
const [sent] = await parley.sendDirectMessage({ body: { fromaddr: me, toaddr: you, message: 'gm' } })
const read: string[] = []
for await (const page of pages(small.listConversation, { fromaddr: me, toaddr: you, query: { limit: 5 } }))
  read.push(...page.map(({ message }: ChatItem) => message))
const refused: string = await parley.getInbox({ address: you }).then(() => 'nothing', (error) => (error as ApiError).code)
const id: number | undefined = sent?.id
console.log(JSON.stringify({ id, read, heard: await heard, refused }))
stop.abort()

export const wrong = () => [
  // @ts-expect-error a message is text
  small.sendDirectMessage({ body: { fromaddr: me, toaddr: you, message: 1 } }),
  // @ts-expect-error not a method of these slices
  small.setName({ body: { name: 'x' } }),
  // @ts-expect-error there is no such endpoint
  parley.sendNothing(),
]
`

let tarball: string
let react: string
let mcp: string
let folder: Awaited<ReturnType<typeof newFolder>>

/** Runs a program of the repository's node_modules in the folder of the site. */
const tool = (file: string, args: string[], env?: Record<string, string>) =>
  run(process.execPath, [path.join(root, 'node_modules', file), ...args], {
    cwd: folder.path,
    env: { ...process.env, ...env },
  }).catch(({ stdout, stderr }) => {
    throw new Error(`${file} failed: ${stdout}${stderr}`)
  })

beforeAll(async () => {
  tarball = await packSdk()
  react = await packReact()
  mcp = await packMcp()
  folder = await newFolder('sdk')
  const write = (name: string, text: string) => writeFile(path.join(folder.path, name), text)
  const versions = ['react@19.3.1', 'react-dom@19.3.1', '@types/react@19.3.0', '@types/react-dom@19.3.0']
  // One install for all: each costs seconds. That of the SDK brings nothing else along.
  await installInto(folder.path, tarball, react, mcp, ...versions)
  await write('site.ts', program)
}, 180_000)
afterAll(() => folder?.[Symbol.asyncDispose]())

/** Returns the programs of the page of the hooks, as a site has them: the name of a file, and its text. */
async function reactPrograms(): Promise<(readonly [name: string, text: string])[]> {
  const page = await readFile(path.join(root, 'docs/react.md'), 'utf8')
  return [...page.matchAll(/^```tsx\n\/\/ (\S+)\n([^]*?)^```/gm)].map(([, name, text]) => [name!, text!])
}

// The programs of the page are compiled with the first one: each compilation reads the types of React and of the browser.
test.for([
  ['bundler', 'esnext', 'chat.tsx'],
  ['nodenext', 'nodenext'],
])('a site type-checks with moduleResolution %s', async ([resolution, module, ...more]) => {
  const programs = await reactPrograms()
  expect(programs.length).toBeGreaterThan(2)
  for (const [name, text] of programs) await writeFile(path.join(folder.path, name), text)
  const options = ['--strict', '--target', 'es2024', '--lib', 'esnext,dom,dom.asynciterable', '--noEmit']
  await tool('@typescript/native/bin/tsc', [
    ...options,
    '--skipLibCheck',
    'false',
    '--moduleResolution',
    resolution!,
    '--module',
    module!,
    '--jsx',
    'react-jsx',
    'site.ts',
    ...more,
  ])
})

test('what is installed sends, reads and listens in Node.js, without the sources', async () => {
  const [me, you] = [newWallet(), newWallet()]
  await tool('rolldown/bin/cli.mjs', [
    'site.ts',
    '--external',
    '@parley/sdk,@parley/sdk/slices',
    '-o',
    'site.mjs',
  ])
  const { stdout } = await run(process.execPath, ['site.mjs'], {
    cwd: folder.path,
    env: { BASE_URL: await service.listen(), TOKEN: await newToken(service.ctx, me), ME: me, YOU: you },
  })
  expect(JSON.parse(stdout)).toEqual({
    id: expect.any(Number),
    read: ['gm'],
    heard: 'gm',
    refused: 'forbidden',
  })
})

test('a bundle has only what a site uses', async () => {
  const size = async (name: string, text: string) => {
    await writeFile(path.join(folder.path, `${name}.ts`), text)
    await tool('rolldown/bin/cli.mjs', [
      `${name}.ts`,
      '--minify',
      '--platform',
      'browser',
      '-o',
      `${name}.js`,
    ])
    return gzipSync(await readFile(path.join(folder.path, `${name}.js`)), { level: 9 }).length
  }
  const whole = await size(
    'whole',
    `export { createClient, pages, readEvents, signInWith } from '@parley/sdk'`,
  )
  const client = await size('client', `export { createClient } from '@parley/sdk'`)
  const slice = await size(
    'slice',
    `import { createClientOf } from '@parley/sdk'
    import { directMessages } from '@parley/sdk/slices'
    export const open = (baseUrl: string) => createClientOf({ baseUrl }, directMessages)`,
  )
  const files = await size('files', `export { openFile, openRange, sealFile } from '@parley/sdk/files'`)
  const range = await size('range', `export { openRange } from '@parley/sdk/files'`)
  // The sizes were 8.1, 5.3, 2.4, 4.2 and 1.5 KB.
  expect(whole).toBeLessThan(8_300)
  expect(client).toBeLessThan(5_500)
  expect(slice).toBeLessThan(3_000)
  expect(files).toBeLessThan(6_000)
  expect(range).toBeLessThan(2_000)
})

test('publint and attw find nothing', async () => {
  expect(await problemsOf(tarball)).toEqual([])
})

test('a package that lacks a declaration is not fit for a release', async () => {
  const unpacked = path.join(folder.path, 'broken')
  await mkdir(unpacked)
  await run('tar', ['-xzf', tarball, '-C', unpacked])
  await rm(path.join(unpacked, 'package/lib/slices.d.ts'))
  const broken = path.join(folder.path, 'broken.tgz')
  await run('tar', ['-czf', broken, '-C', unpacked, 'package'])
  expect((await problemsOf(broken)).join('\n')).toContain('slices')
})

test('the command to publish names the tarball and asks for provenance', () => {
  expect(publishCommand(tarball)).toBe(
    `npm publish ${path.join('sdk/dist', path.basename(tarball))} --provenance --access public`,
  )
})

test('the package has no tests, no sources of the service and nothing but the build', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball])
  const files = stdout.trim().split('\n')
  expect(files).toContain('package/lib/index.d.ts')
  const expected =
    /^package\/(?:package\.json|README\.md|LICENSE|examples\/[\w-]+\.ts|lib\/[\w/-]+(?:\.d\.ts|\.js))$/
  expect(files.filter((file) => !expected.test(file) || file.includes('.test.'))).toEqual([])
})

test('the package of the hooks of React, installed beside that of the SDK, is fit for a release, and a server renders it', async () => {
  expect(await problemsOf(react)).toEqual([])
  const { stdout } = await run('tar', ['-tzf', react])
  const expected = /^package\/(?:package\.json|README\.md|LICENSE|lib\/[\w-]+(?:\.d\.ts|\.js))$/
  expect(
    stdout
      .trim()
      .split('\n')
      .filter((file) => !expected.test(file)),
  ).toEqual([])
  // A server renders it.
  const page = `
    import { createElement } from 'react'
    import { renderToString } from 'react-dom/server'
    import { createParley, ParleyProvider, useUnread } from '@parley/react'
    const Count = () => useUnread().status
    const parley = createParley({ baseUrl: '' })
    console.log(renderToString(createElement(ParleyProvider, { parley }, createElement(Count))))`
  const rendered = await run(process.execPath, ['--input-type=module', '--eval', page], { cwd: folder.path })
  expect(rendered.stdout.trim()).toBe('signed-out')
}, 180_000)

test('the package of the MCP server, installed beside that of the SDK, says what is missing and serves its tools', async () => {
  expect(await problemsOf(mcp)).toEqual([])
  const command = path.join(folder.path, 'node_modules/@parley/mcp/lib/main.js')
  await expect(run(process.execPath, [command], { env: {} })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('PARLEY_URL is missing'),
  })
  const wallet = newWallet()
  const key = await newApiKeyOf(service, wallet, ['inbox:read'])
  const env = { PARLEY_URL: await service.listen(), PARLEY_API_KEY: key }
  const server = spawn(process.execPath, [command], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  try {
    let printed = ''
    server.stdout.setEncoding('utf8').on('data', (text: string) => void (printed += text))
    const clientInfo = { name: 'test', version: '1' }
    const calls = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { name: 'inbox', arguments: {} } },
    ]
    for (const call of calls) server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...call })}\n`)
    await expect.poll(() => printed.split('\n').length, { timeout: 20_000 }).toBe(4)
    expect(printed).toMatch(/"name":"inbox".*"name":"read".*"name":"draft".*"name":"send"/)
    expect(printed).toContain(`The inbox of the user (${wallet})`)
    expect(printed).not.toContain(key)
  } finally {
    server.kill()
  }
}, 120_000)

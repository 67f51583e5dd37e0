import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { bundle, bundleOf } from './bundle.ts'

const base = ['context', 'entries', 'parley', 'places', 'problem', 'store']
const oneHook = (name: string) => bundleOf(`{ createParley, ParleyProvider, ${name} }`)

test('all hooks together are under 6 KB, without React and the SDK', async () => {
  const { code, modules } = await bundleOf('*')
  expect(modules).toContain('use-conversation')
  expect(code).toMatch(/from\s*["']@parley\/sdk["']/)
  // It was 5.4 KB.
  expect(brotliCompressSync(code).length).toBeLessThan(6000)
})

test.for([
  ['useSignIn', ['use-sign-in', 'wallet']],
  ['useUnread', ['counted', 'live', 'shared', 'use-resource', 'use-unread']],
  ['useOwner', ['use-owner', 'use-resource']],
  ['useInbox', ['counted', 'live', 'shared', 'use-inbox', 'use-resource']],
  ['useComments', ['newer', 'outbox', 'shared', 'thread', 'use-comments', 'use-resource', 'use-thread']],
] as const)('a site that uses %s alone loads no other hook', async ([name, own]) => {
  const { code, modules } = await oneHook(name)
  expect(modules.filter((one) => one !== 'entry-of-a-site').toSorted()).toEqual([...base, ...own].toSorted())
  expect(brotliCompressSync(code).length).toBeLessThan(3000)
  // Who shows no messages needs no stream.
  expect(code.includes('readEvents')).toBe(modules.includes('live'))
})

test('a module has one hook for sites, and the package says that it has no side effects', () => {
  const folder = path.join(import.meta.dirname, '..')
  expect(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))).toMatchObject({
    sideEffects: false,
  })
  const index = readFileSync(path.join(folder, 'src/index.ts'), 'utf8')
  const hooks = [...index.matchAll(/\buse[A-Z]\w+/g)].map(([name]) => name)
  const files = readdirSync(path.join(folder, 'src'))
  for (const hook of hooks)
    expect(files).toContain(`${hook.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`)
  expect(hooks).toHaveLength(7)
  // Frameworks that render on servers run what follows in browsers.
  expect(index).toMatch(/^'use client'\n/)
})

test.for(['18', '19'] as const)(
  'a server with React %s renders nobody signed in, and sends nothing',
  async (version) => {
    const code = await bundle('server.tsx', version)
    await import(`data:text/javascript;base64,${Buffer.from(`// ${version}\n${code}`).toString('base64')}`)
    const { rendered, sent, kept } = globalThis as unknown as Record<'rendered' | 'sent' | 'kept', unknown>
    expect(rendered).toBe(
      '<p>signed-out signed-out signed-out signed-out signed-out loading undefined 0 undefined read what every wallet may read</p>',
    )
    expect([sent, kept]).toEqual([[], 0])
  },
)

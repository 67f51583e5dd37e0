// These tests check what the pages at /docs are made of, and that each program and command in the quick starts runs.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { errorStatus } from '@parley/sdk/contract/errors.ts'
import { expect, test } from 'vitest'
import { newFolder } from '../testing/service/files.ts'
import { freePort } from '../testing/service/ports.ts'
import { newWallet, useService } from '../testing/service/service.ts'
import { groups } from '../web/build-docs.mjs'
import { pathOf } from '../web/src/embed/loader/path.ts'
import { readPlace } from '../web/src/embed/place.ts'
import { createIds, idOf } from '../web/docs-index.mjs'
import { errorsPage, pageFile } from './errors-page.ts'

const root = path.join(import.meta.dirname, '..')
const dist = path.join(root, 'web/dist/docs')
const run = promisify(execFile)

const service = useService({ embedOrigins: ['https://shop.example'] })

const get = (url: string, accept = 'text/html') => service.app.inject({ url, headers: { accept } })

test('docs/errors.md is what `npm run docs:errors` makes of the codes', async () => {
  expect(await readFile(pageFile, 'utf8')).toBe(errorsPage())
})

test('every file of docs/ is a page, and is in the list of pages', () => {
  const pages = Object.values(groups).flat()
  const files = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'))
  expect(pages.filter((file) => file.startsWith('docs/')).toSorted()).toEqual(
    files.map((name) => `docs/${name}`).toSorted(),
  )
})

test('no two pages of the list have names that begin alike, and none is a bare “it”', async () => {
  const page = await get('/docs/start')
  const [list] = /<nav class="pages"[^]*?<\/nav>/.exec(page.body)!
  const names = [...list.matchAll(/<a [^>]*>([^<]+)<\/a>/g)].map(([, name]) => name!)
  const stems = names.map(
    (name) =>
      name
        .toLowerCase()
        .replace(/^(run)ning\b/, '$1')
        .split(' ')[0]!,
  )
  expect(names.length).toBeGreaterThan(15)
  expect(stems.filter((stem, at) => stem !== 'the' && stems.indexOf(stem) !== at)).toEqual([])
  expect(names.filter((name) => name.endsWith(' it'))).toEqual([])
})

// server/test/error-types.test.ts checks that each `type` leads there.
test('the page of errors has a part for each code', async () => {
  const page = await get('/docs/errors')
  expect(page.statusCode).toBe(200)
  for (const code of Object.keys(errorStatus)) expect(page.body).toContain(`<h2 id="${code}">`)
})

test('every link of every page leads somewhere, and no page asks for anything outside', async () => {
  const names = readdirSync(dist).filter((name) => name.endsWith('.html'))
  expect(names.length).toBeGreaterThan(15)
  const pages = new Map<string, string>()
  for (const name of names)
    pages.set(`/docs/${name.replace('.html', '')}`, await readFile(path.join(dist, name), 'utf8'))
  const lost: string[] = []
  for (const [page, html] of pages) {
    for (const [, src] of html.matchAll(/ (?:src|href)="((?:https?:)?\/\/[^"]*)"/g))
      // Only a link may lead outside.
      if (!html.includes(`<a href="${src}"`)) lost.push(`${page}: ${src}`)
    for (const [, href] of html.matchAll(/<a[^>]* href="([^"]+)"/g)) {
      if (/^https?:|^mailto:/.test(href!)) continue
      const [to, hash] = href!.split('#')
      const target = to === '' ? html : pages.get(to!)
      if (target === undefined && (await get(to!)).statusCode !== 200) lost.push(`${page}: ${href}`)
      if (target !== undefined && hash && !target.includes(`id="${hash}"`)) lost.push(`${page}: ${href}`)
    }
    expect(html).not.toMatch(/<style|style=|<script(?![^>]*src=)|<[^>]*\son\w+=/)
  }
  expect(lost).toEqual([])
})

test('/docs is the first page; what does not exist is a page with the way back, or a problem', async () => {
  for (const url of ['/docs', '/docs/', '/docs?a=1']) {
    const page = await get(url)
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain('<title>Parley · Parley docs</title>')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  }
  const missing = await get('/docs/nothing')
  expect(missing.statusCode).toBe(404)
  expect(missing.body).toContain('/docs/index.html')
  expect((await get('/docs/nothing', '*/*')).json().type).toBe('/docs/errors#not_found')
  expect((await get('/docs/index.html')).body).toContain('swagger')
})

test('a browser that has a page or the index of the search does not load it again', async () => {
  for (const url of ['/docs/errors', '/docs/search.json']) {
    const first = await get(url)
    const again = await service.app.inject({
      url,
      headers: { 'if-none-match': first.headers.etag as string },
    })
    expect([first.statusCode, again.statusCode, again.body]).toEqual([200, 304, ''])
  }
})

test('a heading has the id that links on GitHub name', () => {
  expect(idOf('All cores of one machine')).toBe('all-cores-of-one-machine')
  expect(idOf('What `INSTANCES` does, and when')).toBe('what-instances-does-and-when')
  expect(idOf('rate_limited')).toBe('rate_limited')
})

test('a repeated heading has an id of its own, as on GitHub, and no page has an id twice', async () => {
  const ids = createIds()
  expect(['Kept', 'Kept', 'Kept 1', 'kept', 'Other'].map((heading) => ids(heading))).toEqual([
    'kept',
    'kept-1',
    'kept-1-1',
    'kept-2',
    'other',
  ])
  for (const name of readdirSync(dist).filter((file) => file.endsWith('.html'))) {
    const found = [...(await readFile(path.join(dist, name), 'utf8')).matchAll(/ id="([^"]+)"/g)].map(
      ([, id]) => id,
    )
    expect(found, name).toEqual([...new Set(found)])
  }
})

test('the search knows every word of every page, in an index of bounded size', async () => {
  const file = await readFile(path.join(dist, 'search.json'))
  expect(file.length).toBeLessThan(420_000)
  expect(gzipSync(file).length).toBeLessThan(130_000)
  const sections = JSON.parse(file.toString()) as {
    id: string
    heading: string
    text: string
    words?: string
  }[]
  expect(new Set(sections.map(({ id }) => id)).size).toBe(sections.length)
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []
  for (const source of Object.values(groups).flat()) {
    const page = source === 'sdk/README.md' ? 'sdk' : path.basename(source, '.md')
    const own = sections.filter(({ id }) => id.split('#')[0] === `/docs/${page}`)
    const known = new Set(own.flatMap(({ heading, text, words }) => wordsOf(`${heading} ${text} ${words}`)))
    const text = (await readFile(path.join(root, source), 'utf8')).replace(/<[^>]*>|\]\([^)]*\)/g, ' ')
    const missing = wordsOf(text).filter((word) => !known.has(word))
    expect(missing, page).toEqual([])
  }
})

/** Returns the programs of a page, in its order: its language, and its text. */
async function programsOf(page: string) {
  const text = await readFile(path.join(root, `docs/${page}.md`), 'utf8')
  return [...text.matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```/gm)].map(([, language, body]) => ({
    language: language!,
    body: body!,
  }))
}

/** Returns true when the web client has a page at this path. */
const isPage = (pathname: string): boolean => {
  const routes = readFileSync(path.join(root, 'web/src/routes.tsx'), 'utf8')
  return [...routes.matchAll(/<Route path="(\/[^"*]+)"/g)].some(([, pattern]) =>
    new RegExp(`^${pattern!.replaceAll(/:\w+/g, '[^/]+')}$`).test(pathname),
  )
}

/** Expects that what an example of a page leads to is there: pages of the client, the script, and what its elements show. */
async function tryPage(html: string, url: string): Promise<void> {
  for (const [, href] of html.matchAll(/href="([^"]+)"/g))
    expect(isPage(new URL(href!).pathname), href).toBe(true)
  const typeOf = async (address: string) => (await fetch(address)).headers.get('content-type')
  for (const [, src] of html.matchAll(/<script src="([^"]+)"/g))
    expect(await typeOf(src!)).toMatch('javascript')
  for (const [, attributes] of html.matchAll(/<parley-chat ([^>]+)>/g)) {
    const place = pathOf((name) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes!)?.[1] ?? null)
    expect(await typeOf(`${url}/embed/${place}`), attributes).toMatch('text/html')
    expect(readPlace(place!), attributes).toBeDefined()
  }
}

const here = 'http://127.0.0.1:8080'

/** The path leaves out the Node of the packages, which npm puts in front: the one that is installed may be older. */
const pathOfPeople = process.env
  .PATH!.split(':')
  .filter((folder) => !folder.includes('node_modules'))
  .join(':')

test('no page, program or text of the client names a package of a registry that nobody has published', () => {
  const files = globSync(
    ['*.md', '*/README.md', 'docs/*.md', '{sdk,react,server,web,mcp}/src/**/*.{ts,tsx}', '{tools,deploy}/*'],
    { cwd: root, exclude: ['node_modules', '**/*.test.ts'] },
  ).filter((file) => statSync(path.join(root, file)).isFile())
  expect(files.length).toBeGreaterThan(700)
  const wrong = files.flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .filter(
        (line) =>
          // Nobody but an author reads a comment of a program.
          !/^\s*(?:\/\/|\/?\*)/.test(line) &&
          /npx (--yes |-y )?(parley|@parley)|npm (install|i|add|exec|create) [^`]*@parley\//.test(line),
      )
      .map((line) => `${file}: ${line}`),
  )
  expect(wrong).toEqual([])
})

test.for(['start-builder', 'start-site-owner'])(
  'every program and command of %s runs',
  { timeout: 120_000 },
  async (page) => {
    await using folder = await newFolder('quick-start')
    await symlink(path.join(root, 'node_modules'), path.join(folder.path, 'node_modules'))
    const url = await service.listen()
    const printed: string[] = []
    let ran = 0
    for (const { language, body } of await programsOf(page)) {
      const text = body.replaceAll(here, url)
      const [, file] = /^\/\/ (\S+\.ts)$/m.exec(text) ?? []
      if (language === 'ts') await writeFile(path.join(folder.path, file!), text)
      if (language === 'html') await tryPage(text, url)
      if (language !== 'sh' || text.includes('npm start')) continue
      const { stdout } = await run('bash', ['-eo', 'pipefail', '-c', text], {
        cwd: folder.path,
        env: { PATH: pathOfPeople, ...(process.env.HOME && { HOME: process.env.HOME }) },
        timeout: 60_000,
      })
      printed.push(stdout)
      ran++
    }
    expect(ran).toBeGreaterThan(0)
    expect(printed.join('')).toContain(page === 'start-builder' ? 'Bob reads: gm' : `${url}/c/gardeners`)
  },
)

test('a bot in two minutes is one, as it is pasted', { timeout: 120_000 }, async () => {
  await using folder = await newFolder('bot')
  await symlink(path.join(root, 'node_modules'), path.join(folder.path, 'node_modules'))
  const text = await readFile(path.join(root, 'docs/bots.md'), 'utf8')
  const [, pasted] = /^ +```ts\n([^]*?)^ +```/m.exec(text)!
  const url = await service.listen()
  await writeFile(path.join(folder.path, 'bot.ts'), pasted!.replaceAll(here, url))
  const [bot, person] = [newWallet(), newWallet()]
  const asBot = await service.as(bot)
  const [made] = await asBot.createApiKey({ body: { label: 'bot', scopes: ['inbox:read', 'dm:send'] } })
  const started = spawn('npx', ['node', 'bot.ts'], {
    cwd: folder.path,
    env: {
      PATH: pathOfPeople,
      PARLEY_API_KEY: made!.key,
      ...(process.env.HOME && { HOME: process.env.HOME }),
    },
    detached: true,
    stdio: 'ignore',
  })
  const asPerson = await service.as(person)
  const send = (message: string) =>
    asPerson.sendDirectMessage({ body: { fromaddr: person, toaddr: bot, message } })
  const newest = async () =>
    (await asPerson.listConversation({ fromaddr: person, toaddr: bot })).at(-1)?.message
  try {
    // It reads what comes once it listens.
    await expect.poll(() => existsSync(path.join(folder.path, 'bot.json')), { timeout: 30_000 }).toBe(true)
    await send('gm')
    await expect.poll(newest, { timeout: 30_000 }).toBe('Hello!')
    await send('how are you?')
    await expect.poll(newest, { timeout: 30_000 }).toBe('You wrote: how are you?')
  } finally {
    const ended = once(started, 'exit')
    process.kill(-started.pid!, 'SIGTERM')
    await ended
  }
})

test('every command of start-operator runs', { timeout: 180_000 }, async () => {
  await using folder = await newFolder('quick-start')
  const port = await freePort()
  const places = { [here]: `http://127.0.0.1:${port}`, '/srv/parley': folder.path, '/backups': folder.path }
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    npm_config_loglevel: 'silent',
  }
  const printed: string[] = []
  let started: ReturnType<typeof spawn> | undefined
  try {
    for (const { language, body } of await programsOf('start-operator')) {
      if (language !== 'sh') continue
      const text = Object.entries(places).reduce((all, [from, to]) => all.replaceAll(from, to), body)
      if (text.includes('npm start')) {
        started = spawn('bash', ['-c', text], { cwd: root, env, detached: true, stdio: 'ignore' })
        const isUp = () =>
          fetch(`http://127.0.0.1:${port}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          )
        for (const deadline = Date.now() + 90_000; !(await isUp()); await sleep(200))
          if (Date.now() > deadline) throw new Error('npm start does not serve')
        continue
      }
      const { stdout } = await run('bash', ['-eo', 'pipefail', '-c', text], {
        cwd: root,
        env,
        timeout: 60_000,
      })
      printed.push(stdout)
    }
  } finally {
    if (started) {
      const ended = once(started, 'exit')
      process.kill(-started.pid!, 'SIGTERM')
      await ended
    }
  }
  expect(printed.join('\n')).toMatch(/is whole[\s\S]*Restored the data[\s\S]*nothing is wrong/)
})

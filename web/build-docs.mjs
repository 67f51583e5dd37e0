// Makes the pages at /docs of the Markdown in docs/ and of the SDK's README. tools/build-web.mjs runs it after Vite,
// whose build has their style and their script (src/docs/pages.ts). The Node of the system may run it, so it is JavaScript.

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Marked } from 'marked'
import { createIds, indexOf, plain, rowId, rowsOf, sectionsOf } from './docs-index.mjs'
import { escape, layout } from './docs-layout.mjs'

const root = path.join(import.meta.dirname, '..')

/** The groups of pages, and the file of each page. The name of a page is its file's, except of a README. */
export const groups = {
  Start: ['docs/start.md', 'docs/start-site-owner.md', 'docs/start-builder.md', 'docs/start-operator.md'],
  Build: [
    'sdk/README.md',
    'docs/embed.md',
    'docs/react.md',
    'docs/bots.md',
    'docs/webhooks.md',
    'docs/files.md',
    'docs/search.md',
    'docs/errors.md',
    'docs/encryption.md',
    'docs/interface-decisions.md',
  ],
  Operate: [
    'docs/operations.md',
    'docs/move-here.md',
    'docs/settings.md',
    'docs/notifications.md',
    'docs/moderation.md',
    'docs/official.md',
    'docs/public-pages.md',
    'docs/security.md',
    'docs/people.md',
    'docs/scaling.md',
    'docs/cluster.md',
  ],
  Understand: [
    'docs/concepts.md',
    'docs/formatting.md',
    'docs/way-of-a-message.md',
    'docs/benchmarks.md',
    'docs/performance-log.md',
  ],
}

const files = Object.values(groups).flat()
const nameOf = (file) => (file === 'sdk/README.md' ? 'sdk' : path.basename(file, '.md'))
const pageOf = new Map(files.map((file) => [file, nameOf(file)]))

/** Where a link of a file leads: to another page, outside, or nowhere because it is a file of the repository. */
function targetOf(file, href) {
  if (/^(https?:|mailto:|#)/.test(href)) return href.replace(/^http:\/\/127\.0\.0\.1:8080(?=\/)/, '')
  const [to, hash] = href.split('#')
  const page = pageOf.get(path.join(path.dirname(file), to))
  if (page) return `/docs/${page}${hash ? `#${hash}` : ''}`
  return undefined
}

const titleOf = (file) => /^# (.*)$/m.exec(readFileSync(path.join(root, file), 'utf8'))[1]
const titles = new Map(files.map((file) => [`/docs/${nameOf(file)}`, titleOf(file)]))

/** Copies a picture (PNG) to the files that browsers may cache without end, and returns its address and its size. */
function pictureAt(file, dist) {
  const bytes = readFileSync(file)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
  const name = `${path.basename(file, '.png')}-${hash}.png`
  writeFileSync(path.join(dist, 'assets', name), bytes)
  return { src: `/assets/${name}`, width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** A file as HTML, with its name, its title, its headings and its text. */
function render(file, dist) {
  const text = readFileSync(path.join(root, file), 'utf8')
  const headings = []
  // Each setting is found and linked to by itself.
  const hasVariables = file === 'docs/settings.md'
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: heading, id }) {
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${inner}</h1>\n`
        if (depth < 4) headings.push({ depth, id, text: plain(heading) })
        return `<h${depth} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to this part">#</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const to = targetOf(file, href)
        // In the repository a link often is the name of its file.
        const isFile = /^[\w/-]+\.md$/.test(tokens[0]?.raw ?? '')
        const title = isFile && titles.get(to?.split('#')[0])
        const inner = title ? `“${escape(title)}”` : this.parser.parseInline(tokens)
        return to === undefined ? inner : `<a href="${escape(to)}">${inner}</a>`
      },
      image: ({ href, text: alt }) => {
        // What else is drawn is in the repository.
        if (!href.endsWith('.png')) return escape(alt)
        const { src, width, height } = pictureAt(path.join(root, path.dirname(file), href), dist)
        return `<img src="${src}" alt="${escape(alt)}" width="${width}" height="${height}" loading="lazy">`
      },
      html: ({ text: html }) => (html.trimStart().startsWith('<!--') ? '' : escape(html)),
      code: ({ text: code, lang }) =>
        `<div class="code"><pre tabindex="0"><code${lang ? ` data-language="${escape(lang)}"` : ''}>${escape(code)}</code></pre></div>\n`,
      table(token) {
        const idOf = (first, tag) =>
          tag === 'td' && hasVariables && rowId(first.text) ? ` id="${rowId(first.text)}"` : ''
        const row = (cells, tag) =>
          `<tr${idOf(cells[0], tag)}>${cells
            .map(({ tokens, align }) => {
              const end = align === 'right' ? ' class="end"' : ''
              return `<${tag}${end}>${this.parser.parseInline(tokens)}</${tag}>`
            })
            .join('')}</tr>`
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>${token.rows
          .map((cells) => row(cells, 'td'))
          .join('\n')}</tbody></table></div>\n`
      },
    },
  })
  const tokens = marked.lexer(text)
  const nextId = createIds()
  void marked.walkTokens(tokens, (token) => {
    if (token.type === 'heading') token.id = nextId(token.text)
  })
  const title = plain(tokens.find(({ type, depth }) => type === 'heading' && depth === 1)?.text ?? file)
  return {
    file,
    name: nameOf(file),
    title,
    headings,
    html: marked.parser(tokens),
    sections: [...sectionsOf(tokens, title), ...(hasVariables ? rowsOf(tokens) : [])],
  }
}

/** Writes a page for each file, the one for what does not exist, and the index of the search, into `dist`/docs. */
export function buildDocs(dist) {
  const assets = readdirSync(path.join(dist, 'assets'))
  const asset = (pattern) => `/assets/${assets.find((name) => pattern.test(name))}`
  const own = {
    groups,
    style: asset(/^pages-[\w-]+\.css$/),
    script: asset(/^pages-[\w-]+\.js$/),
    icon: asset(/^favicon.*\.svg$/),
  }
  const pages = files.map((file) => render(file, dist))
  const folder = path.join(dist, 'docs')
  mkdirSync(folder, { recursive: true })
  for (const [i, page] of pages.entries())
    writeFileSync(
      path.join(folder, `${page.name}.html`),
      layout({ ...page, ...own, pages, before: pages[i - 1], after: pages[i + 1] }),
    )
  const missing =
    '<h1>There is no such page</h1><p>Look for it in the list of pages or by the search, or begin at <a href="/docs/start">the start</a>. The endpoints are in the <a href="/docs/index.html">API reference</a>.</p>'
  writeFileSync(
    path.join(folder, '404.html'),
    layout({ ...own, pages, name: '404', title: 'There is no such page', headings: [], html: missing }),
  )
  writeFileSync(path.join(folder, 'search.json'), JSON.stringify(pages.flatMap(indexOf)))
}

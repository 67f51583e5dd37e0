// The ids of headings, and the index of the search at /docs.

/** Markdown without its signs. */
export const plain = (text) => text.replace(/[`*]|<[^>]*>|\[([^\]]*)\]\([^)]*\)/g, '$1')

/** The id of a heading, as it is on GitHub: the links in the files name it. */
export const idOf = (heading) =>
  plain(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

/** Gives each heading of one page an id of its own: a repeated one ends with -1, -2, as on GitHub. */
export function createIds() {
  const used = new Map()
  return (heading) => {
    const first = idOf(heading)
    let id = first
    let times = used.get(first) ?? 0
    while (used.has(id)) id = `${first}-${++times}`
    used.set(first, times).set(id, used.get(id) ?? 0)
    return id
  }
}

/** How much of a section the results can show. */
const shown = 4000

/** Between words, as the search has it (MiniSearch). */
const gaps = /[\n\r\p{Z}\p{P}]+/u

/** The parts of a page from heading to heading. The headings have their ids. */
export function sectionsOf(tokens, title) {
  const sections = [{ heading: title, id: '', text: '' }]
  for (const token of tokens)
    if (token.type === 'heading' && token.depth > 1)
      sections.push({ heading: plain(token.text), id: token.id, text: '' })
    else if (token.type !== 'heading' && token.type !== 'html')
      sections.at(-1).text += ` ${plain(token.raw).replace(/[|\s-]{2,}/g, ' ')}`
  return sections
}

/** What a table says of each name in its first column, as a part of its own; the rows have these ids. */
export const rowsOf = (tokens) =>
  tokens
    .filter(({ type }) => type === 'table')
    .flatMap(({ rows }) => rows)
    .flatMap(([first, ...rest]) => {
      const id = rowId(first.text)
      return id
        ? [{ heading: plain(first.text), id, text: rest.map(({ text }) => plain(text)).join(' ') }]
        : []
    })

/** The id of a row whose first cell is a variable. */
export const rowId = (cell) => /^`([A-Z][A-Z0-9_]+)`$/.exec(cell)?.[1].toLowerCase()

/** What the search reads of a page. `words` are those that a long section has beyond the text that is kept, each once. */
export const indexOf = ({ name, title, sections }) =>
  sections.map(({ heading, id, text: whole }) => {
    const text = cut(whole.trim())
    const known = new Set(wordsOf(text))
    const words = [...new Set(wordsOf(whole))].filter((word) => !known.has(word)).join(' ')
    return { id: `/docs/${name}${id ? `#${id}` : ''}`, title, heading, text, ...(words && { words }) }
  })

/** The beginning, to the end of a word. */
const cut = (text) => (text.length > shown ? text.slice(0, text.lastIndexOf(' ', shown)) : text)

const wordsOf = (text) => text.toLowerCase().split(gaps).filter(Boolean)

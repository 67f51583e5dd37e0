// The docs are searched by the words of the query, without those that are in every question. A match of the words in
// their order comes first, and a match in a heading before one in a text.

import MiniSearch from 'minisearch'

export interface Section {
  /** The id is the section's address. */
  id: string
  title: string
  heading: string
  /** This is the text of the section; a long text is cut to its beginning. */
  text: string
  /** A long text has its other words here, each once. */
  words?: string
}

export interface Found {
  section: Section
  /** These words of the query were found. */
  terms: string[]
}

const asked = new Set(
  'a an and are can do does for how i if in is it my of on or the to what when where which who why with you'.split(
    ' ',
  ),
)

/** Returns the words with one space between them, without any other signs. */
const flat = (text: string) =>
  ` ${text
    .toLowerCase()
    .split(/[\s\p{P}]+/u)
    .filter(Boolean)
    .join(' ')} `

export function createSearch(sections: Section[]): (query: string) => Found[] {
  const search = new MiniSearch<Section>({
    fields: ['heading', 'title', 'text', 'words'],
    processTerm: (term) => term.toLowerCase(),
    searchOptions: { boost: { heading: 4, title: 2 }, prefix: true, fuzzy: 0.15 },
  })
  search.addAll(sections)
  const known = new Map(
    sections.map((section) => [
      section.id,
      { section, heading: flat(section.heading), text: flat(section.text) },
    ]),
  )
  return (query) => {
    const words = flat(query).trim().split(' ')
    const wanted = words.filter((word) => !asked.has(word))
    const text = (wanted.length > 0 ? wanted : words).join(' ')
    const phrase = ` ${text} `
    const rank = (id: unknown) => {
      const { section, heading, text: whole } = known.get(id as string)!
      // A name matches as it is written: REQUEST_TIMEOUT is a setting, request_timeout an error.
      if (section.heading === query.trim() && /[_A-Z]/.test(section.heading)) return 5
      if (heading === phrase) return section.heading === section.title ? 4.5 : 4
      if (heading.includes(phrase)) return 3
      if (!text.includes(' ')) return whole.startsWith(phrase) ? 2 : 0
      return whole.includes(phrase) ? 1 + 0.1 * Math.min(9, whole.split(phrase.trimEnd()).length) : 0
    }
    const all = search.search(text, { combineWith: 'AND' })
    const found = all.length > 0 ? all : search.search(text, { combineWith: 'OR' })
    return found
      .map(({ id, score, terms }) => ({
        section: known.get(id as string)!.section,
        terms,
        score,
        rank: rank(id),
      }))
      .toSorted((one, other) => other.rank - one.rank || other.score - one.score)
  }
}

// What the pages at /docs do besides being read: a search over all of them, programs that name this service, and a button that
// copies them.

import MiniSearch from 'minisearch'
import './pages.css'

interface Section {
  /** Its address. */
  id: string
  title: string
  heading: string
  /** Its text, of a long one the beginning. */
  text: string
  /** The other words of a long one, each once. */
  words?: string
}

const input = document.querySelector<HTMLInputElement>('#search')!
const results = document.querySelector<HTMLElement>('#results')!
let index: Promise<{ search: MiniSearch<Section>; sections: Map<string, Section> }> | undefined

async function load() {
  const answer = await fetch('/docs/search.json')
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`)
  const sections = (await answer.json()) as Section[]
  const search = new MiniSearch<Section>({
    fields: ['heading', 'title', 'text', 'words'],
    searchOptions: { boost: { heading: 4, title: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  })
  search.addAll(sections)
  return { search, sections: new Map(sections.map((section) => [section.id, section])) }
}

async function show(): Promise<void> {
  const words = input.value.trim()
  if (words === '') return hide()
  try {
    const { search, sections } = await (index ??= load())
    // Something else may have been typed meanwhile.
    if (words !== input.value.trim()) return
    const found = search.search(words).slice(0, 10)
    results.replaceChildren(
      ...(found.length > 0
        ? found.map(({ id, terms }) => linkTo(sections.get(String(id))!, terms))
        : [element('p', `Nothing has “${words}”. Try another word.`)]),
    )
  } catch (error) {
    index = undefined
    const why = error instanceof Error ? error.message : String(error)
    results.replaceChildren(element('p', `The search does not work now: ${why} Try again.`))
  }
  results.hidden = false
}

function hide(): void {
  results.hidden = true
  results.replaceChildren()
}

function linkTo({ id, title, heading, text }: Section, terms: string[]): HTMLElement {
  const link = element('a', '')
  link.href = id
  const at = Math.max(0, text.toLowerCase().indexOf(terms[0] ?? '') - 40)
  link.append(
    element('strong', heading),
    element('small', heading === title ? '' : title),
    element('span', `${at > 0 ? '… ' : ''}${text.slice(at, at + 140)}`),
  )
  return link
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, text: string) {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

input.addEventListener('input', () => void show())
input.addEventListener('focus', () => void show())
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault()
    input.focus()
    input.select()
  }
  if (event.key === 'Escape' && !results.hidden) {
    hide()
    input.focus()
  }
  if (results.hidden || !/^Arrow(Down|Up)$|^Enter$/.test(event.key)) return
  const links = [...results.querySelectorAll('a')]
  const now = links.indexOf(document.activeElement as HTMLAnchorElement)
  if (event.key === 'Enter') {
    if (isTyping) links[0]?.click()
    return
  }
  event.preventDefault()
  const next = now + (event.key === 'ArrowDown' ? 1 : -1)
  ;(next < 0 ? input : links[Math.min(next, links.length - 1)])?.focus()
})
document.addEventListener('click', ({ target }) => {
  const isLink = target instanceof Element && results.contains(target) && target.closest('a')
  if (isLink || !(target instanceof Element && target.closest('.search'))) hide()
})

// Programs and commands call the service on which they are read.
for (const code of document.querySelectorAll('code')) {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    text.nodeValue = text.nodeValue!.replaceAll('http://127.0.0.1:8080', location.origin)
  }
}

for (const block of document.querySelectorAll<HTMLElement>('.code')) {
  // The clipboard is for pages with HTTPS or of this machine.
  if (!('clipboard' in navigator)) break
  const button = element('button', 'Copy')
  button.type = 'button'
  button.addEventListener('click', async () => {
    const done = await navigator.clipboard.writeText(block.querySelector('code')!.textContent ?? '').then(
      () => 'Copied',
      () => 'Not allowed',
    )
    button.textContent = done
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  })
  block.append(button)
}

// On a phone the list of pages would hide the text.
if (!window.matchMedia('(min-width: 64rem)').matches)
  document.querySelector('.pages details')?.removeAttribute('open')

// This file adds to the pages at /docs a search over all of them, programs that name this service, and a button that
// copies the programs.

import { createSearch, type Found, type Section } from './search.ts'
import './pages.css'

const input = document.querySelector<HTMLInputElement>('#search-docs')!
const results = document.querySelector<HTMLElement>('#results')!
let index: Promise<(query: string) => Found[]> | undefined

/** Programs and commands call the service on which they are read. */
const nameThisService = (text: string) => text.replaceAll('http://127.0.0.1:8080', location.origin)

async function load() {
  const answer = await fetch('/docs/search.json')
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`)
  return createSearch(JSON.parse(nameThisService(await answer.text())) as Section[])
}

async function show(): Promise<void> {
  const words = input.value.trim()
  if (words === '') return hide()
  try {
    const search = await (index ??= load())
    // Something else may have been typed meanwhile.
    if (words !== input.value.trim()) return
    const found = search(words).slice(0, 10)
    results.replaceChildren(
      ...(found.length > 0 ? found.map(linkTo) : [element('p', `Nothing has “${words}”. Try another word.`)]),
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

function linkTo({ section: { id, title, heading, text }, terms }: Found): HTMLElement {
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

for (const code of document.querySelectorAll('code')) {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode
    text.nodeValue = nameThisService(text.nodeValue!)
  }
}

for (const block of document.querySelectorAll<HTMLElement>('.code')) {
  // The clipboard needs a page with HTTPS or on this machine.
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

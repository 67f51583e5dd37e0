// Marks what was found in the messages on the page, without a change of their elements: a highlight of CSS is a set of ranges.
// A browser that has none shows the messages as they are.

import { match, type SearchQuery } from '@parley/sdk/search/query.ts'
import { useEffect } from 'react'

const name = 'found'

/** Returns the ranges of a text of several nodes. */
function rangesIn(element: Element, query: SearchQuery): Range[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const nodes: { node: Text; start: number }[] = []
  let text = ''
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    nodes.push({ node: node as Text, start: text.length })
    text += (node as Text).data
  }
  const [marks = []] = match(query, [text]) ?? []
  return marks.map(([start, end]) => {
    const range = new Range()
    const first = nodes.findLast((one) => one.start <= start)!
    const last = nodes.findLast((one) => one.start < end)!
    range.setStart(first.node, start - first.start)
    range.setEnd(last.node, end - last.start)
    return range
  })
}

/** Marks the words of a query in all messages on the page, also in those that come. */
export function useHighlights(query: SearchQuery): void {
  useEffect(() => {
    const page = document.getElementById('main')
    if (!page || query.terms.length === 0 || !('highlights' in CSS)) return undefined
    let frame = 0
    const mark = () => {
      const ranges = [...page.querySelectorAll('[data-said]')].flatMap((element) => rangesIn(element, query))
      CSS.highlights.set(name, new Highlight(...ranges))
    }
    const soon = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(mark)
    }
    const changes = new MutationObserver(soon)
    changes.observe(page, { childList: true, subtree: true, characterData: true })
    mark()
    return () => {
      changes.disconnect()
      cancelAnimationFrame(frame)
      CSS.highlights.delete(name)
    }
  }, [query])
}

import { parseQuery } from '@parley/sdk/search/query.ts'
import { useMemo } from 'react'
import { useHighlights } from './highlight.ts'

/** Marks the words of a search in the messages on the page. */
export function Marks({ text }: { text: string }) {
  const query = useMemo(() => parseQuery(text), [text])
  useHighlights('problem' in query ? { terms: [] } : query)
  return null
}

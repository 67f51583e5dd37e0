// What one looks for in the directory. It is in the address of the page, so that Back and a link lead to the same list.

import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useSearchParams } from 'react-router'
import { client } from '../service/api.ts'

const pageSize = 30

export const sorts = [
  { value: 'active', label: 'Active' },
  { value: 'members', label: 'Largest' },
  { value: 'new', label: 'New' },
] as const
type Sort = (typeof sorts)[number]['value']

interface Wanted {
  words: string
  tag: string
  sort: Sort
}

/** Returns what is looked for, and the function that changes a part of it. */
export function useWanted(): [Wanted, (part: Partial<Wanted>) => void] {
  const [search, setSearch] = useSearchParams()
  const wanted: Wanted = {
    words: search.get('words') ?? '',
    tag: search.get('tag') ?? '',
    sort: sorts.find(({ value }) => value === search.get('sort'))?.value ?? 'active',
  }
  const change = (part: Partial<Wanted>) => {
    const { words, tag, sort } = { ...wanted, ...part }
    const next = { ...(words && { words }), ...(tag && { tag }), ...(sort !== 'active' && { sort }) }
    // A letter more is no step back.
    setSearch(next, { replace: part.words !== undefined })
  }
  return [wanted, change]
}

/** Reads the communities that fit, page by page. */
export function useCommunities({ words: typed, tag, sort }: Wanted) {
  const words = useDeferredValue(typed.trim())
  // A single letter is no word: it is the beginning of a name.
  const isLetter = Array.from(words).length === 1 && !tag
  const wanted = isLetter ? { prefix: words } : { sort, ...(words && { words }), ...(tag && { tag }) }
  const { data, ...rest } = useInfiniteQuery({
    queryKey: ['listCommunities', 'pages', wanted],
    queryFn: ({ pageParam: after }) =>
      client.listCommunities({ query: { ...wanted, limit: pageSize, ...(after && { after }) } }),
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)!.community),
  })
  return { ...rest, entries: data?.pages.flat() }
}

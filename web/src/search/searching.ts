// This is what somebody searches for in all conversations. It is stored in memory alone: its words are in no address and in no
// entry of the browser's history.

import { onAccountChange } from '../service/session.ts'
import { createStore } from '../state/store.ts'
import { filtersIn, type Filter, type Known } from './filters.ts'

interface Searching {
  /** The results are shown in place of the conversations. */
  isOpen: boolean
  text: string
  filters: Filter[]
}

const nothing: Searching = { isOpen: false, text: '', filters: [] }

export const searching = createStore(nothing)
onAccountChange(() => searching.set(nothing))

/** The field has this id. */
export const fieldId = 'search-all'

export const fieldProps = {
  id: fieldId,
  'aria-label': 'Search people, communities and messages',
  placeholder: 'Search',
  maxLength: 200,
} as const

export const openSearch = (): void => searching.set({ ...searching.get(), isOpen: true })
export const closeSearch = (): void => searching.set(nothing)

/** Takes what was typed: finished operators such as `has:link` become filters. */
export function typeSearch(typed: string, known: Known): void {
  const { filters } = searching.get()
  const { text, found } = filtersIn(typed, known)
  searching.set({ isOpen: true, text, filters: found.reduce(withFilter, filters) })
}

export function addFilter(filter: Filter, text = searching.get().text): void {
  searching.set({ isOpen: true, text, filters: withFilter(searching.get().filters, filter) })
}

export function removeFilter(filter: Filter | undefined): void {
  const before = searching.get()
  searching.set({ ...before, filters: before.filters.filter((one) => one !== filter) })
}

/** Of each kind there is one. */
const withFilter = (filters: Filter[], filter: Filter): Filter[] => [
  ...filters.filter(({ kind }) => kind !== filter.kind),
  filter,
]

/** Counts how often somebody has asked for the field from elsewhere. */
export const asked = createStore(0)

/** Searches all conversations for words; the field gets the focus. */
export function searchEverywhere(text = searching.get().text): void {
  searching.set({ ...searching.get(), isOpen: true, text })
  asked.set(asked.get() + 1)
}

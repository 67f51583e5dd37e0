import type { SearchHit, SearchRest } from '@parley/sdk/contract/search.ts'
import type { InfiniteData } from '@tanstack/react-query'
import { cache } from '../service/api.ts'
import type { DeviceSearch } from './found-message.ts'

export type Answer = (SearchHit | SearchRest)[]

export const isHit = (one: SearchHit | SearchRest): one is SearchHit => 'item' in one

/** A message is gone: it leaves the results at once. */
export function forgetFound(id: number): void {
  const isOther = (hit: SearchHit | SearchRest) => !isHit(hit) || hit.item.id !== id
  cache.setQueriesData<InfiniteData<Answer>>(
    { queryKey: ['search', 'service'] },
    (data) => data && { ...data, pages: data.pages.map((page) => page.filter(isOther)) },
  )
  cache.setQueriesData<InfiniteData<DeviceSearch>>(
    { queryKey: ['search', 'device'] },
    (data) =>
      data && { ...data, pages: data.pages.map((page) => ({ ...page, hits: page.hits.filter(isOther) })) },
  )
}

/** What is found may be another now. */
export const searchAgain = (): void => void cache.invalidateQueries({ queryKey: ['search'] })

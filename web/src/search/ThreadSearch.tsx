import { lazy, Suspense, useEffect } from 'react'
import { later } from '../service/later.ts'
import { useThreadChanges } from '../thread/changes.ts'
import type { Nft } from '../thread/history.ts'
import { useStore } from '../state/store.ts'
import { isBarOpen } from './bar.ts'
import { useWanted } from './going.ts'

const load = async () => ({ default: (await import('./SearchBar.tsx')).SearchBar })
const SearchBar = lazy(load)

/** A conversation, all of it or the part about one NFT; or a chat, which is searched by those who have joined it. */
export type ThreadPlace =
  | { peer: string; nft: Nft | undefined }
  | { chat: string; path: string; isJoined: boolean }

/** Goes to what was found in this thread, and searches it: Control and F, or the lens, show a bar for that. */
export function ThreadSearch({ place }: { place: ThreadPlace }) {
  const changes = useThreadChanges()
  const isOpen = useStore(isBarOpen)
  const isSearchable = 'peer' in place || place.isJoined
  const path = 'peer' in place ? `/dm/${encodeURIComponent(place.peer)}` : place.path
  useWanted(path, (id) => changes?.goTo(id))
  useEffect(() => void later().then(load), [])
  useEffect(() => () => isBarOpen.set(false), [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey)) return
      if (event.shiftKey || event.altKey || !isSearchable || document.querySelector('dialog[open]')) return
      event.preventDefault()
      isBarOpen.set(true)
      document.querySelector<HTMLInputElement>('#search-thread')?.select()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isSearchable])
  if (!isOpen || !changes) return null
  return (
    <Suspense>
      <SearchBar place={place} goTo={changes.goTo} keepPlace={changes.keepPlace} />
    </Suspense>
  )
}

import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { client } from '../service/api.ts'
import { useMe } from '../service/session.ts'
import { loadAhead } from '../service/later.ts'
import { useThreadChanges } from '../thread/changes.ts'
import { useStore } from '../state/store.ts'
import { askedDay, askForDay, isBarOpen, type ThreadPlace } from './bar.ts'
import { useWanted } from './going.ts'

const load = async () => ({ default: (await import('./SearchBar.tsx')).SearchBar })
const SearchBar = lazy(load)
const Marks = lazy(async () => ({ default: (await import('./Marks.tsx')).Marks }))
const JumpToDate = lazy(async () => ({ default: (await import('./JumpToDate.tsx')).JumpToDate }))

/** Returns the first message of a place at a time (epoch ms) or later. */
async function firstSince(me: string, place: ThreadPlace, time: number): Promise<{ id: number } | undefined> {
  const [first] = await ('peer' in place
    ? // This list begins after its time.
      client.listConversationSince({
        fromaddr: me,
        toaddr: place.peer,
        time: Math.max(0, time - 1),
        query: { limit: 1 },
      })
    : client.listGroupMessages({
        address: place.chat,
        useraddress: me,
        query: { since: new Date(time).toISOString(), limit: 1, enter: false },
      }))
  return first
}

/** Goes to what was found in this thread, and searches it: Control and F, or the lens, show a bar for that. */
export function ThreadSearch({ place }: { place: ThreadPlace }) {
  const me = useMe()
  const changes = useThreadChanges()
  const isOpen = useStore(isBarOpen)
  const asked = useStore(askedDay)
  const isSearchable = 'peer' in place || place.isJoined
  // What a conversation says of an NFT is not found by its time.
  const hasDays = !('peer' in place && place.nft)
  const path = 'peer' in place ? `/dm/${encodeURIComponent(place.peer)}` : place.path
  const found = useWanted(path, (id) => changes?.goTo(id))
  const forget = useEffectEvent(found.forget)
  // The bar marks what it finds itself, and then nothing else.
  useEffect(() => {
    if (isOpen) forget()
  }, [isOpen])
  useEffect(() => loadAhead(load), [])
  useEffect(
    () => () => {
      isBarOpen.set(false)
      askedDay.set(undefined)
    },
    [],
  )
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      if (!(key === 'f' ? isSearchable : key === 'g' && hasDays) || document.querySelector('dialog[open]'))
        return
      event.preventDefault()
      if (key === 'g') return askForDay()
      isBarOpen.set(true)
      document.querySelector<HTMLInputElement>('#search-thread')?.select()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isSearchable, hasDays])
  if (!changes) return null
  return (
    <Suspense>
      {!isOpen && found.text && <Marks text={found.text} />}
      {isOpen && <SearchBar {...{ place, hasDays }} goTo={changes.goTo} keepPlace={changes.keepPlace} />}
      {asked !== undefined && hasDays && (
        <JumpToDate
          {...{ asked }}
          find={(time) => firstSince(me, place, time)}
          goTo={changes.goTo}
          toEnd={changes.toEnd}
          onClose={() => askedDay.set(undefined)}
        />
      )}
    </Suspense>
  )
}

import { parseQuery, type SearchQuery } from '@parley/sdk/search/query.ts'
import { CalendarDays, ChevronDown, ChevronUp, X } from 'lucide-react'
import {
  type KeyboardEvent as ReactKeyEvent,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { foundHere } from '../messages/FoundTicks.tsx'
import { describeError } from '../service/describe-error.ts'
import { useSettled } from '../state/settled.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { askForDay, isBarOpen, type ThreadPlace } from './bar.ts'
import type { FoundMessage } from './found-message.ts'
import { DeviceSearchLine } from './DeviceSearchLine.tsx'
import { isEnough } from './filters.ts'
import { useFound } from './found.ts'
import { useHighlights } from './highlight.ts'
import { searchEverywhere } from './searching.ts'

interface Props {
  place: ThreadPlace
  /** The reader can go to a day. */
  hasDays: boolean
  goTo: (id: number) => void
  keepPlace: () => () => void
}

const noWords: SearchQuery = { terms: [] }

/**
 * Searches one conversation. Enter goes to the next older message that was found, also on a message to which it has gone;
 * with Shift to the next newer one. Escape returns to where the reader was.
 */
export function SearchBar({ place, hasDays, goTo, keepPlace }: Props) {
  const [text, setText] = useState('')
  const settled = useSettled(text.trim(), 250)
  const parsed = useMemo(() => parseQuery(settled), [settled])
  const problem = 'problem' in parsed && isEnough(settled) ? parsed.problem : undefined
  const isSearch = isEnough(settled) && !('problem' in parsed)
  const found = useFound(isSearch ? { q: settled, ...whereOf(place) } : undefined, 50)
  const hits = isSearch ? found.hits.filter((hit) => isIn(place, hit)) : none
  useHighlights(isSearch && !('problem' in parsed) ? parsed : noWords)
  useTicks(hits)
  const isReady = settled === text.trim() && !found.isLoading && !found.isOld
  const { at, step } = useSteps({ settled, hits, found, goTo, isReady })
  const close = useClosing(keepPlace, at >= 0)
  useBarKeys(step, close)

  const onKeyDown = (event: ReactKeyEvent) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
    else if (event.key === 'ArrowUp') step(1)
    else if (event.key === 'ArrowDown') step(-1)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  }
  const isNone = isSearch && found.isEmpty && settled === text.trim()
  return (
    <search className="border-b border-line bg-surface" aria-label="In this conversation">
      <div className="mx-auto flex min-h-13 max-w-3xl items-center gap-1 px-3 sm:px-4">
        <div className="min-w-0 flex-1">
          <SearchField
            id="search-thread"
            // It is opened to type in it.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            aria-label="Search this conversation"
            placeholder="Search here"
            maxLength={200}
            value={text}
            onChange={setText}
            onKeyDown={onKeyDown}
          />
        </div>
        <span role="status" className="min-w-14 text-center text-sm text-muted tabular-nums">
          {isSearch && found.isLoading ? (
            <Spinner label="Searching" />
          ) : (
            isSearch && countOf(hits, at, found.hasMore)
          )}
        </span>
        <IconButton label="Older result" onClick={() => step(1)}>
          <ChevronUp className="size-5" />
        </IconButton>
        <IconButton label="Newer result" onClick={() => step(-1)}>
          <ChevronDown className="size-5" />
        </IconButton>
        {hasDays && (
          <IconButton label="Jump to a date" onClick={() => askForDay()}>
            <CalendarDays className="size-5" />
          </IconButton>
        )}
        <IconButton label="Close the search" onClick={close}>
          <X className="size-5" />
        </IconButton>
      </div>
      {isSearch && found.device && found.device.state !== 'whole' && (
        <div className="mx-auto max-w-3xl px-2 pb-1">
          <DeviceSearchLine onFurther={found.further} />
        </div>
      )}
      {(isNone || problem || (isSearch && found.error)) && (
        <p className="mx-auto flex max-w-3xl flex-wrap items-center gap-x-3 px-4 pb-2 text-sm text-pretty text-muted">
          <span role="status">
            {problem
              ? `Your search ${problem}.`
              : found.error
                ? describeError(found.error)
                : `No messages with “${settled}” here.`}
          </span>
          {isNone && (
            <button
              type="button"
              className="min-h-8 font-semibold text-accent underline pointer-coarse:min-h-11"
              onClick={() => searchEverywhere(settled)}
            >
              Search all conversations
            </button>
          )}
        </p>
      )}
    </search>
  )
}

const none: FoundMessage[] = []

const whereOf = (place: ThreadPlace) =>
  'chat' in place
    ? { chat: place.chat }
    : { peer: place.peer, ...(place.nft && { nftaddr: place.nft.nftaddr }) }

/** The service narrows a search to the contract of an NFT, and the page is about one token. */
const isIn = (place: ThreadPlace, { item }: FoundMessage): boolean =>
  'chat' in place || !place.nft || ('toaddr' in item && item.nftid === place.nft.nftid)

function countOf(hits: FoundMessage[], at: number, hasMore: boolean): string {
  if (hits.length === 0) return ''
  const all = `${hits.length}${hasMore ? '+' : ''}`
  if (at >= 0) return `${at + 1} of ${all}`
  return `${all} ${all === '1' ? 'result' : 'results'}`
}

/** The list shows where they are. */
function useTicks(hits: FoundMessage[]): void {
  const ids = hits.map(({ item }) => item.id).join(' ')
  useEffect(() => {
    if (ids === '') return undefined
    foundHere.set(new Set(ids.split(' ').map(Number)))
    return () => foundHere.set(new Set())
  }, [ids])
}

interface Steps {
  settled: string
  hits: FoundMessage[]
  found: ReturnType<typeof useFound>
  goTo: (id: number) => void
  /** What was found is for the text in the field. */
  isReady: boolean
}

/** Goes from one message to the next: the newest is the first. */
function useSteps({ settled, hits, found, goTo, isReady }: Steps) {
  const [isWaiting, setWaiting] = useState(false)
  const [current, setCurrent] = useState<{ of: string; id: number; at: number }>()
  const isCurrent = current?.of === settled
  const placeNow = isCurrent ? hits.findIndex(({ item }) => item.id === current.id) : -1
  // A message that was deleted leaves its place to the next one.
  const at = isCurrent && placeNow < 0 ? Math.min(current.at, hits.length) - 1 : placeNow
  const step = (by: number) => {
    if (!isReady) return setWaiting(true)
    const next = Math.max(0, Math.min(at + by, hits.length - 1))
    const hit = hits[next]
    if (next > hits.length - 10 && found.hasMore) found.more()
    if (!hit) return
    setCurrent({ of: settled, id: hit.item.id, at: next })
    goTo(hit.item.id)
  }
  // Enter was pressed while the words were being searched.
  const goOn = useEffectEvent(() => step(1))
  useEffect(() => {
    if (!isReady) return
    setWaiting(false)
    if (isWaiting) goOn()
  }, [isReady, isWaiting])
  return { at, step }
}

/** Returns what closes the bar: the reader is back where they were, and the focus where it was. */
function useClosing(keepPlace: () => () => void, hasMoved: boolean) {
  const before = useRef<{ focus: Element | null; goBack: () => void }>(undefined)
  const keep = useEffectEvent(() => {
    before.current ??= { focus: document.activeElement, goBack: keepPlace() }
  })
  useEffect(() => keep(), [])
  return () => {
    const { focus, goBack } = before.current!
    isBarOpen.set(false)
    if (hasMoved) goBack()
    const isThere = focus instanceof HTMLElement && focus !== document.body && focus.isConnected
    const field = document.querySelector<HTMLElement>('main textarea')
    ;(isThere ? focus : field)?.focus({ preventScroll: true })
  }
}

/** On a message to which the search has gone, Enter goes on and Escape closes it. */
function useBarKeys(step: (by: number) => void, close: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const target = event.target as HTMLElement
    if (target.role !== 'article' || document.querySelector('dialog[open], [role=menu]')) return
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  useEffect(() => {
    // The list and the message would take these keys first.
    addEventListener('keydown', onKey, true)
    return () => removeEventListener('keydown', onKey, true)
  }, [])
}

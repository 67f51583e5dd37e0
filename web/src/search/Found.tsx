import { CloudOff, SearchX } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from '@parley/sdk'
import { InboxSkeleton } from '../inbox/InboxSkeleton.tsx'
import { describeError } from '../service/describe-error.ts'
import { useOnline } from '../state/online.ts'
import { clockOrTime } from '../state/time.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import type { useSearchChoices } from './choices.tsx'
import { DeviceSearchLine } from './DeviceSearchLine.tsx'
import { Note } from './Note.tsx'
import { forgetSearches } from './recent.ts'
import { openSearch } from './searching.ts'

type Choices = ReturnType<typeof useSearchChoices>

interface Props extends Pick<Choices, 'found' | 'isSearch' | 'problem' | 'pending' | 'unknown'> {
  list: ReactNode
  text: string
  me: string
  /** People, communities or messages are listed. */
  hasChoices: boolean
  hasFilters: boolean
}

/** Lists what was found, and says what was not searched. */
export function Found({
  found,
  isSearch,
  problem,
  pending,
  unknown,
  list,
  text,
  me,
  hasChoices,
  hasFilters,
}: Props) {
  const { hits, isEmpty, isOld, isLoading, isReading, hasMore, hasStopped, error, device } = found
  const isOnline = useOnline()
  const end = useRef<HTMLDivElement>(null)
  const mayGoOn = isSearch && hasMore && !hasStopped && !isOld && !error
  useEffect(() => {
    if (!mayGoOn || isReading) return undefined
    const seen = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) found.more()
    })
    seen.observe(end.current!)
    return () => seen.disconnect()
  }, [mayGoOn, isReading, found])
  return (
    <div
      role="group"
      aria-label="Results"
      // The field has the focus; its arrows move through the list.
      onMouseDown={(event) => event.preventDefault()}
      className="scroll-calm absolute inset-0 overflow-y-auto bg-surface px-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]"
    >
      {isSearch && device && <DeviceSearchLine onFurther={found.further} />}
      {isSearch && !isOnline && <Note icon={<CloudOff />}>Searching what is on this device.</Note>}
      {problem && <Note>Your search {problem}.</Note>}
      {unknown && <Note>{unknown}</Note>}
      {!isSearch && !pending && !problem && hasFilters && (
        <Note>Type at least two letters, or choose what messages have.</Note>
      )}
      <div className={classes(isOld && 'opacity-50 transition-opacity')} aria-busy={isOld || isLoading}>
        {list}
      </div>
      {text === '' && !pending && !isSearch && hasChoices && (
        <Button
          variant="quiet"
          onClick={() => {
            forgetSearches(me)
            openSearch()
          }}
        >
          Clear
        </Button>
      )}
      {isSearch && isLoading && <Skeleton />}
      {isSearch && isOnline && error && <Failed error={error} onRetry={found.retry} />}
      {isSearch && isEmpty && !hasStopped && (
        <EmptyState
          icon={<SearchX className="size-7" />}
          title={text.trim() ? `No messages with “${text.trim()}”` : 'No messages found'}
        />
      )}
      {isSearch && found.completeTo && hits.length > 0 && (
        <Note>
          Some messages after {clockOrTime(Date.parse(found.completeTo))} may be missing for a moment.
        </Note>
      )}
      {isSearch && hasStopped && (
        <Note
          action={
            <Button busy={isReading} onClick={found.more}>
              Search further
            </Button>
          }
        >
          Older messages are not searched yet.
        </Note>
      )}
      {isSearch && isReading && !hasStopped && (
        <div className="grid place-items-center p-3">
          <Spinner label="Loading more results" />
        </div>
      )}
      <div ref={end} className="h-px" />
    </div>
  )
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const code = error instanceof ApiError ? error.code : undefined
  return (
    <div role="alert" className="grid justify-items-center gap-2 p-4 text-center text-sm text-pretty">
      <p>{said(error, code)}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

function said(error: Error, code: string | undefined): string {
  if (code === 'rate_limited') return 'You search faster than the service allows. Wait a moment.'
  if (code === 'unavailable') return 'This search takes too long right now. Add a word or a filter.'
  if (code === 'not_found') return 'Search isn’t available here.'
  return describeError(error)
}

/** Five rows are shown when the answer takes longer than a moment. */
function Skeleton() {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return isShown && <InboxSkeleton label="Searching" />
}

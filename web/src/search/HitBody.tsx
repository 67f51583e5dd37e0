import type { SearchQuery } from '@parley/sdk/search/query.ts'
import { Lock, Paperclip } from 'lucide-react'
import { useMemo } from 'react'
import { useMinute } from '../state/minute.ts'
import { longDate, relativeTime } from '../state/time.ts'
import type { FoundMessage } from './found-message.ts'
import { type ShownHit, snippetOf } from './shown-hits.ts'

interface Props {
  hit: FoundMessage
  shown: ShownHit
  query: SearchQuery
}

/** Shows a message that was found: where it is, when it was sent, and two lines around the first match. */
export function HitBody({ hit: { item, marks, isSealed }, shown: { title, author }, query }: Props) {
  const now = useMinute()
  const { pieces, isFile } = useMemo(
    () => snippetOf(item, query, marks as [number, number][]),
    [item, query, marks],
  )
  return (
    <span className="grid min-h-14 min-w-0 flex-1 grid-cols-1 content-center gap-0.5">
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1 truncate font-medium">
          <bdi>{title}</bdi>
        </span>
        <time dateTime={item.timestamp} className="shrink-0 text-xs text-muted">
          <span aria-hidden="true">{relativeTime(item.timestamp, now)}</span>
          <span className="sr-only">{longDate(item.timestamp)}</span>
        </time>
      </span>
      <span className="line-clamp-2 text-sm wrap-anywhere text-muted">
        {isSealed && <Lock className="me-1 inline size-3 align-baseline" role="img" aria-label="Encrypted" />}
        {author && `${author}: `}
        {isFile && <Paperclip className="me-1 inline size-3 align-baseline" role="img" aria-label="File" />}
        <bdi>
          {pieces.map(({ text, isFound }, n) =>
            isFound ? (
              // The pieces of a text have no other name than their place.
              // oxlint-disable-next-line react/no-array-index-key
              <mark key={n} className="rounded-sm bg-clear-soft font-semibold text-ink">
                {text}
              </mark>
            ) : (
              text
            ),
          )}
        </bdi>
      </span>
    </span>
  )
}

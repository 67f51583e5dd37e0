import { X } from 'lucide-react'
import { useState } from 'react'
import { type Filter, labelOf, localDay } from './filters.ts'
import { addFilter, fieldId, openSearch, removeFilter, searching } from './searching.ts'

const chip =
  'flex min-h-8 shrink-0 items-center gap-1 rounded-full px-3 text-sm font-medium pointer-coarse:min-h-11'

const focusField = () => document.getElementById(fieldId)?.focus()

/** Begins an operator in the field, which lists what may follow it. */
function begin(operator: string): void {
  const { text, filters } = searching.get()
  const before = text.trim() ? `${text.trim()} ` : ''
  searching.set({ isOpen: true, filters, text: `${before}${operator}:` })
  focusField()
}

/** Shows the filters of the search as chips, and what may be added. */
export function Filters({ filters }: { filters: Filter[] }) {
  const [isDated, setDated] = useState(false)
  const has = (kind: Filter['kind']) => filters.some((one) => one.kind === kind)
  return (
    <>
      <div
        role="group"
        aria-label="Filters"
        // The field keeps the focus, so that a search without words stays open.
        onMouseDown={(event) => event.preventDefault()}
        className="-mx-3 flex gap-1.5 overflow-x-auto px-3 py-0.5 [scrollbar-width:none]"
      >
        {filters.map((filter) => (
          <button
            key={filter.kind}
            type="button"
            aria-label={`Remove the filter: ${labelOf(filter)}`}
            className={`${chip} bg-selected text-accent-strong forced-colors:border-2`}
            onClick={() => {
              removeFilter(filter)
              focusField()
            }}
          >
            <bdi>{labelOf(filter)}</bdi>
            <X className="size-3.5" aria-hidden="true" />
          </button>
        ))}
        {(['from', 'in', 'has'] as const)
          .filter((kind) => !has(kind))
          .map((kind) => (
            <button key={kind} type="button" className={`${chip} ${offered}`} onClick={() => begin(kind)}>
              {names[kind]}
            </button>
          ))}
        {!(has('since') && has('until')) && (
          <button
            type="button"
            aria-expanded={isDated}
            className={`${chip} ${offered}`}
            onClick={() => {
              setDated(!isDated)
              openSearch()
            }}
          >
            Date…
          </button>
        )}
      </div>
      {isDated && (
        <div className="flex flex-wrap gap-2 text-sm">
          {(['since', 'until'] as const).map((kind) => (
            <label key={kind} className="flex flex-1 items-center gap-2 text-muted">
              {kind === 'since' ? 'Since' : 'Until'}
              <input
                type="date"
                max={localDay(new Date())}
                value={dayOf(filters, kind)}
                onChange={({ target: { value } }) => {
                  if (value) addFilter({ kind, day: value })
                  else removeFilter(filters.find((one) => one.kind === kind))
                }}
                className="min-h-9 min-w-0 flex-1 rounded-lg border border-line bg-raised px-2 text-ink pointer-coarse:min-h-11"
              />
            </label>
          ))}
        </div>
      )}
    </>
  )
}

const names = { from: 'From…', in: 'In…', has: 'Has…' }
const offered = 'border border-line text-muted hover:bg-hover'

function dayOf(filters: Filter[], kind: 'since' | 'until'): string {
  const filter = filters.find((one) => one.kind === kind)
  return filter && 'day' in filter ? filter.day : ''
}

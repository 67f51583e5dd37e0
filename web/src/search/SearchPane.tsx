import { type ComponentProps, type KeyboardEvent, memo, useLayoutEffect } from 'react'
import { createPortal } from 'react-dom'
import { useMe } from '../service/session.ts'
import { useSettled } from '../state/settled.ts'
import { useStore } from '../state/store.ts'
import { useChooser } from '../ui/chooser.tsx'
import type { SearchField } from '../ui/SearchField.tsx'
import { useSearchChoices } from './choices.tsx'
import { Filters } from './Filters.tsx'
import { useKnown } from './known.ts'
import { closeSearch, openSearch, removeFilter, searching, typeSearch } from './searching.ts'
import { Found } from './Found.tsx'

export type FieldProps = Partial<ComponentProps<typeof SearchField>>

interface Props {
  /** Gives the field what makes it a combobox. */
  onField: (field: FieldProps) => void
  /** What is found is the last child of this element. */
  place: HTMLElement
}

/** Shows the filters below the field, and what is found. */
export const SearchPane = memo(function SearchPane({ onField, place }: Props) {
  const { isOpen, text, filters } = useStore(searching)
  const me = useMe()
  const known = useKnown()
  const settled = useSettled(text, 250)
  const { choices, choose, ...results } = useSearchChoices({ me, text, settled, filters, known })
  const isShown = isOpen && (text !== '' || filters.length > 0 || choices.length > 0)
  const { found, isSearch } = results
  const said = isSearch ? countOf(found) : undefined
  const { attributes, list } = useChooser({
    id: 'search-found',
    text: `${text} ${filters.length}`,
    choices,
    ...(said !== undefined && { said }),
    onChoose: choose,
  })
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const isEmpty = text === '' && filters.length === 0
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      closeSearch()
      if (!isEmpty) openSearch()
    } else if (event.key === 'Backspace' && text === '' && filters.length > 0) removeFilter(filters.at(-1))
    else if (event.key === 'Enter' && /(^|\s)\w+:\S+$/.test(text)) {
      // The operator at the end is finished.
      event.preventDefault()
      if (choices.length > 0 && !isSearch) attributes.onKeyDown(event)
      else typeSearch(`${text} `, known)
    } else if (isShown) attributes.onKeyDown(event)
  }
  useLayoutEffect(() =>
    onField({
      ...attributes,
      'aria-expanded': isShown,
      'aria-activedescendant': isShown ? attributes['aria-activedescendant'] : undefined,
      onChange: (typed) => typeSearch(typed, known),
      onKeyDown,
    }),
  )
  return (
    <>
      {isOpen && <Filters filters={filters} />}
      {isShown &&
        createPortal(
          <Found
            {...results}
            {...{ list, text, me }}
            hasChoices={choices.length > 0}
            hasFilters={filters.length > 0}
          />,
          place,
        )}
    </>
  )
})

/** Says how many messages were found. */
function countOf({ hits, hasMore, isLoading, isOld }: ReturnType<typeof useSearchChoices>['found']): string {
  if (isLoading || isOld) return ''
  const count = hits.length
  return `${count}${hasMore ? ' or more' : ''} ${count === 1 && !hasMore ? 'result' : 'results'}`
}

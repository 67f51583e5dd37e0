import { type FocusEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { loadAhead } from '../service/later.ts'
import { createStore, useStore } from '../state/store.ts'
import { SearchField } from '../ui/SearchField.tsx'
import {
  asked,
  closeSearch,
  fieldId,
  fieldProps,
  openSearch,
  searchEverywhere,
  searching,
} from './searching.ts'
import type * as Loaded from './SearchPane.tsx'
import type { FieldProps } from './SearchPane.tsx'

const loaded = createStore<typeof Loaded | undefined>(undefined)
let isLoading = false

/** Loads what searches; it is loaded again when that fails. */
function load(): void {
  if (isLoading) return
  isLoading = true
  import('./SearchPane.tsx').then(
    (module) => loaded.set(module),
    () => (isLoading = false),
  )
}

/**
 * Shows a field that searches people, communities and messages. Its code loads when it is used, or later. The field and the
 * children, which are below what is found, stay as they are when it arrives: somebody may be typing, reading or touching.
 */
export function InboxSearch({ children }: { children: ReactNode }) {
  const library = useStore(loaded)
  const { text } = useStore(searching)
  const [combobox, setCombobox] = useState<FieldProps>()
  const [place, setPlace] = useState<HTMLElement | null>(null)
  useEffect(() => loadAhead(load), [])
  useAsked()
  return (
    <div className="flex min-h-0 flex-1 flex-col" onBlur={closeWhenLeft}>
      <search className="grid grid-cols-1 gap-2 px-3 pb-2">
        <SearchField
          {...fieldProps}
          value={text}
          onFocus={() => {
            openSearch()
            load()
          }}
          onChange={(typed) => searching.set({ ...searching.get(), text: typed, isOpen: true })}
          {...combobox}
        />
        {library && place && <library.SearchPane onField={setCombobox} place={place} />}
      </search>
      <div ref={setPlace} className="relative flex min-h-0 flex-1 flex-col">
        <div className="flex min-h-0 flex-1 flex-col not-last:invisible">{children}</div>
      </div>
    </div>
  )
}

function closeWhenLeft({ currentTarget, relatedTarget }: FocusEvent): void {
  const { text, filters } = searching.get()
  if (!currentTarget.contains(relatedTarget) && text === '' && filters.length === 0) closeSearch()
}

const isFieldShown = () => document.getElementById(fieldId)?.checkVisibility() === true

/** Focuses the field as soon as it is shown: after a change of the page that takes some frames. */
function focusField(frames = 60): void {
  const field = document.getElementById(fieldId) as HTMLInputElement | null
  if (isFieldShown()) {
    field?.focus()
    field?.select()
  } else if (frames > 0) requestAnimationFrame(() => focusField(frames - 1))
}

/** Focuses the field when somebody asks for it: by Control, Shift and F, or from elsewhere in the client. */
function useAsked(): void {
  const navigate = useNavigate()
  const count = useStore(asked)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey)) return
      if (!event.shiftKey || event.altKey || document.querySelector('dialog[open]')) return
      event.preventDefault()
      searchEverywhere()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  const focus = useEffectEvent(() => {
    load()
    // On a small screen the field is on a page of its own.
    if (!isFieldShown()) void navigate('/')
    setTimeout(() => focusField())
  })
  useEffect(() => {
    if (count > 0) focus()
  }, [count])
}

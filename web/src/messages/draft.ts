// localStorage stores the text being written as a record per draft. A tab uses the newest draft that it finds when it
// opens a field, and shows what other tabs change in that one. Tabs that each begin a draft have a record each, so none
// overwrites another's. sessionStorage has which record a tab shows, for a reload.

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createStore } from '../state/store.ts'

/** The keys of all drafts begin with this. */
export const draftPrefix = 'parley.draft.'

/** Returns the names of all records, the latest at the end. */
const recordNames = () =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith(draftPrefix))
    .toSorted()

/** Returns the key of a record, whose name ends with its start time and something random. */
const keyOf = (record: string) => record.replace(/ \S+ \S+$/, '')

const readAll = (): ReadonlyMap<string, string> =>
  new Map(recordNames().map((name) => [keyOf(name), localStorage.getItem(name) ?? '']))

/** This has the latest text by key. */
const drafts = createStore(readAll())

/** Reads all drafts again after some were deleted. */
export const readDrafts = (): void => drafts.set(readAll())

addEventListener('storage', ({ key }) => {
  if (key === null || key.startsWith(draftPrefix)) readDrafts()
})

/** Returns the text being written in a field, which need not be open; empty without a key. */
export const useWritten = (key: string | undefined): string =>
  useSyncExternalStore(drafts.subscribe, () => (key === undefined ? '' : writtenIn(key)))

/** Returns the record that a field begins with: the one this tab showed before, else the newest. */
function findRecord(key: string): string | undefined {
  const shown = sessionStorage.getItem(key)
  if (shown && localStorage.getItem(shown) !== null) return shown
  return recordNames().findLast((name) => keyOf(name) === key)
}

const newRecord = (key: string) => `${key} ${new Date().toISOString()} ${Math.random().toString(36).slice(2)}`

/** Returns the text being written in a field, which need not be open. */
export const writtenIn = (key: string): string => drafts.get().get(key) ?? ''

/** Begins a draft with this text for a field that is not open. */
export function beginDraft(key: string, text: string): void {
  const record = newRecord(key)
  localStorage.setItem(record, text)
  sessionStorage.setItem(key, record)
  readDrafts()
}

/** Returns the text of a field, and the function that changes it. `key` names the field in every tab. */
export function useDraft(key: string): [text: string, write: (next: string) => void] {
  const [found] = useState(() => findRecord(key))
  const [text, setText] = useState(() => (found && localStorage.getItem(found)) ?? '')
  const record = useRef(found)
  useEffect(() => {
    const follow = (event: StorageEvent) => {
      if (record.current && (event.key === record.current || event.key === null))
        setText(event.newValue ?? '')
    }
    addEventListener('storage', follow)
    return () => removeEventListener('storage', follow)
  }, [])
  const write = useCallback(
    (next: string) => {
      setText(next)
      if (next) {
        record.current ??= newRecord(key)
        localStorage.setItem(record.current, next)
        sessionStorage.setItem(key, record.current)
        drafts.set(new Map(drafts.get()).set(key, next))
      } else if (record.current) {
        localStorage.removeItem(record.current)
        sessionStorage.removeItem(key)
        record.current = undefined
        readDrafts()
      }
    },
    [key],
  )
  return [text, write]
}

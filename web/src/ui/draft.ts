// What is being written, kept in localStorage as a record per draft. A tab goes on with the newest
// draft that it finds when it opens a field, and shows what other tabs change in that one. Tabs that
// each begin a draft have a record each, so none overwrites another's. sessionStorage has which
// record a tab shows, for a reload.

import { useCallback, useEffect, useRef, useState } from 'react'

/** The record that a field begins with: the one this tab showed before, else the newest. */
function findRecord(key: string): string | undefined {
  const shown = sessionStorage.getItem(key)
  if (shown && localStorage.getItem(shown) !== null) return shown
  const records = Object.keys(localStorage).filter((one) => one.startsWith(`${key} `))
  // Their names end with the time at which they were begun.
  return records.toSorted().at(-1)
}

const newRecord = (key: string) => `${key} ${new Date().toISOString()} ${Math.random().toString(36).slice(2)}`

/** Begins a draft for a field that is not open: it shows this text. */
export function beginDraft(key: string, text: string): void {
  const record = newRecord(key)
  localStorage.setItem(record, text)
  sessionStorage.setItem(key, record)
}

/** The text of a field, and how it is changed. `key` names the field in every tab. */
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
      } else if (record.current) {
        localStorage.removeItem(record.current)
        sessionStorage.removeItem(key)
        record.current = undefined
      }
    },
    [key],
  )
  return [text, write]
}

// A link or Back leaves a page without a question, so what is entered in its forms is stored until it is saved: the page
// shows it again, also after a reload of the tab. A dialog asks before it closes instead (ui/closing.ts).

import { useSyncExternalStore } from 'react'
import { createStore } from '../state/store.ts'
import { useMe } from './session.ts'

const entry = 'parley.unsaved'

type Unsaved = ReadonlyMap<string, unknown>

/** This has what was entered, by wallet and form. */
const unsaved = createStore<Unsaved>(new Map(JSON.parse(sessionStorage.getItem(entry) ?? '[]')))

function store(next: Unsaved): void {
  sessionStorage.setItem(entry, JSON.stringify([...next]))
  unsaved.set(next)
}

/**
 * Returns what the wallet has entered in a form of a page and not saved, and the function that replaces it; undefined is
 * nothing. `form` names the form and what it is about, such as “rules of gardeners”. No secret is entered so.
 */
export function useUnsaved<Value>(form: string): [Value | undefined, (next: Value | undefined) => void] {
  const key = `${useMe()} ${form}`
  const value = useSyncExternalStore(unsaved.subscribe, () => unsaved.get().get(key) as Value | undefined)
  const write = (next: Value | undefined) => {
    const all = new Map(unsaved.get())
    if (next === undefined) all.delete(key)
    else all.set(key, next)
    store(all)
  }
  return [value, write]
}

/** Deletes what a wallet has entered and not saved. */
export const forgetUnsaved = (wallet: string): void =>
  store(new Map([...unsaved.get()].filter(([key]) => !key.startsWith(`${wallet} `))))

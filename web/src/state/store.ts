import { useSyncExternalStore } from 'react'

/** A store has a value that lives outside of React's components. */
export interface Store<Value> {
  get: () => Value
  /** Stores a new value and calls every listener. */
  set: (next: Value) => void
  /** Returns a function that removes the listener. */
  subscribe: (listener: () => void) => () => void
}

export function createStore<Value>(value: Value): Store<Value> {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns the store's value, in a component that renders again when it changes. */
export const useStore = <Value>({ subscribe, get }: Store<Value>): Value =>
  useSyncExternalStore(subscribe, get)

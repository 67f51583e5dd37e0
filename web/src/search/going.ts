// A message that somebody wants to see: its page goes there once it is open.

import { useEffect, useEffectEvent } from 'react'
import { onAccountChange } from '../service/session.ts'
import { createStore, useStore } from '../state/store.ts'

interface Wanted {
  path: string
  id: number
}

const wanted = createStore<Wanted | undefined>(undefined)
onAccountChange(() => wanted.set(undefined))

export const wantMessage = (message: Wanted): void => wanted.set(message)

/** Goes to the message that somebody wants to see on this page. */
export function useWanted(path: string, goTo: (id: number) => void): void {
  const message = useStore(wanted)
  const go = useEffectEvent(goTo)
  useEffect(() => {
    if (message?.path.toLowerCase() !== path.toLowerCase()) return
    wanted.set(undefined)
    go(message.id)
  }, [message, path])
}

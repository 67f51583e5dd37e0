// A message that somebody wants to see: its page goes there once it is open.

import { useEffect, useEffectEvent, useState } from 'react'
import { onAccountChange } from '../service/session.ts'
import { createStore, useStore } from '../state/store.ts'

interface Wanted {
  path: string
  id: number
  /** It was found by these words, which are marked there. */
  text?: string
}

const wanted = createStore<Wanted | undefined>(undefined)
onAccountChange(() => wanted.set(undefined))

export const wantMessage = (message: Wanted): void => wanted.set(message)

/** Goes to the message that somebody wants to see on this page. Returns the words by which it was found. */
export function useWanted(path: string, goTo: (id: number) => void) {
  const [found, setFound] = useState<{ path: string; text: string }>()
  const message = useStore(wanted)
  const go = useEffectEvent(goTo)
  useEffect(() => {
    if (message?.path.toLowerCase() !== path.toLowerCase()) return
    wanted.set(undefined)
    go(message.id)
    setFound(message.text ? { path, text: message.text } : undefined)
  }, [message, path])
  return { text: found?.path === path ? found.text : undefined, forget: () => setFound(undefined) }
}

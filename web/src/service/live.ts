// Reads the event stream while a wallet is signed in, and passes each event to its handler.

import { readEvents, type ServiceEvent } from '@parley/sdk'
import { useEffect } from 'react'
import { createStore, useStore } from '../ui/store.ts'
import { cache, service } from './api.ts'
import { currentToken, endSession } from './session.ts'

/** One handler per type of event. A new type in the contract does not compile until it has one. */
export type EventHandlers = {
  [Type in ServiceEvent['type']]: (event: Extract<ServiceEvent, { type: Type }>, me: string) => void
}

const state = createStore<'open' | 'broken'>('open')

/** Whether events arrive. */
export const useLiveState = (): 'open' | 'broken' => useStore(state)

/** Handles events while the component is mounted. `onOpen` is called whenever the stream opens. */
export function useLive(me: string, handlers: EventHandlers, onOpen: () => void): void {
  useEffect(() => {
    const stop = new AbortController()
    void follow(me, handlers, onOpen, stop.signal)
    return () => stop.abort()
  }, [me, handlers, onOpen])
}

async function follow(
  me: string,
  handlers: EventHandlers,
  onOpen: () => void,
  signal: AbortSignal,
): Promise<void> {
  const token = currentToken()
  if (!token) return
  // A stream that resumes misses nothing. Before the first one opened, events were missed: what is
  // shown is read again.
  let first = true
  const options = {
    signal,
    onOpen: () => {
      if (first) void cache.invalidateQueries({ refetchType: 'active' })
      first = false
      state.set('open')
      onOpen()
    },
    onReconnect: () => state.set('broken'),
  }
  try {
    for await (const event of readEvents({ ...service, token }, options)) handle(event, handlers, me)
  } catch {
    // The token is no longer accepted.
    if (!signal.aborted) endSession(token)
  }
}

/** A service that is newer than this page may send types that have no handler here. */
function handle(event: ServiceEvent, handlers: EventHandlers, me: string): void {
  const handler = handlers[event.type] as ((event: ServiceEvent, me: string) => void) | undefined
  handler?.(event, me)
}

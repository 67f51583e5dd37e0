import type { Pin } from '@parley/sdk/contract/pins.ts'
import { useQuery } from '@tanstack/react-query'
import { query } from '../service/api.ts'
import { createStore, useStore } from '../state/store.ts'

/** This is where messages are pinned. */
export interface PinsOf {
  toaddr?: string
  nftaddr?: string
}

/** Returns the pins of a place, the newest first. */
export function usePins({ toaddr = '', nftaddr = '' }: PinsOf): Pin[] {
  const conversation = useQuery({ ...query('getConversation', { toaddr }), enabled: toaddr !== '' })
  const hasPins = conversation.data?.pinned === true
  const ofPair = useQuery({ ...query('listPinsOfConversation', { toaddr }), enabled: hasPins })
  const ofChat = useQuery({ ...query('listPinsOfChat', { nftaddr }), enabled: nftaddr !== '' })
  return (toaddr ? hasPins && ofPair.data : ofChat.data) || none
}

const none: Pin[] = []

/** The value counts what was hidden, so that all that show pins look again. */
const hidings = createStore(0)

/** Returns until when the pins of a place are hidden (`hiddenPinsKey`): those that were pinned up to then. */
export function useHiddenUntil(key: string): string {
  useStore(hidings)
  return localStorage.getItem(key) ?? ''
}

/** Hides the pins of a place, for this browser, until there is one that is newer than this time. */
export function hidePins(key: string, pinnedAt: string): void {
  localStorage.setItem(key, pinnedAt)
  hidings.set(hidings.get() + 1)
}

import { useQuery } from '@tanstack/react-query'
import { query } from '../service/api.ts'
import { createStore, useStore } from '../state/store.ts'
import { shortTime } from '../state/time.ts'

/** A post of the wallet that is about to be announced; without `id` it is written first. */
export interface Announceable {
  nftaddr: string
  id?: number
  text?: string
}

const subject = createStore<Announceable | undefined>(undefined)

/** Opens the dialog that announces a post. */
export const askToAnnounce = (what: Announceable): void => subject.set(what)
export const endAnnouncing = (): void => subject.set(undefined)
export const useAnnounceable = (): Announceable | undefined => useStore(subject)

/** Returns what its moderators know about the announcements of a chat; while one is delivered, it is read again and again. */
export const useAnnouncing = (nftaddr: string) =>
  useQuery({
    ...query('getAnnouncing', { nftaddr }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.last && !state.data.last.done ? 5_000 : false),
  })

type Known = NonNullable<ReturnType<typeof useAnnouncing>['data']>

/** Says why nothing can be announced now. */
export function whyNotNow({ forbidden, next_at }: Known): string | undefined {
  if (forbidden) return 'An operator of this service has stopped the announcements of this chat.'
  return next_at && `There is one announcement in 24 hours. The next one is possible ${shortTime(next_at)}.`
}

export const people = (count: number): string =>
  count === 0 ? 'fewer than 10 people' : `about ${count} people`

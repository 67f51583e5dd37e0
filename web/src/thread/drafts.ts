import { draftPrefix, readDrafts } from '../messages/draft.ts'

const prefixOf = (wallet: string) => `${draftPrefix}${wallet} `

/** Returns the key of a wallet's draft in a thread. */
export const draftKey = (wallet: string, thread: string): string => prefixOf(wallet) + thread

/** Returns the key of the time until which the pins of a place are hidden from a wallet. */
export const hiddenPinsKey = (wallet: string, place: string): string =>
  `parley.pins-hidden.${wallet} ${place}`

/** Deletes what this browser has stored of the threads of a wallet. */
export function forgetThreads(wallet: string): void {
  const isOf = (key: string) =>
    [prefixOf(wallet), hiddenPinsKey(wallet, '')].some((one) => key.startsWith(one))
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (isOf(key)) storage.removeItem(key)
  readDrafts()
}

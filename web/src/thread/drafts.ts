import { draftPrefix, readDrafts } from '../messages/draft.ts'

const prefixOf = (wallet: string) => `${draftPrefix}${wallet} `

/** Returns the key of a wallet's draft in a thread. */
export const draftKey = (wallet: string, thread: string): string => prefixOf(wallet) + thread

/** Deletes the drafts of a wallet. */
export function forgetDrafts(wallet: string): void {
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (key.startsWith(prefixOf(wallet))) storage.removeItem(key)
  readDrafts()
}

const prefixOf = (wallet: string) => `parley.draft.${wallet} `

/** Names what a wallet is writing in a thread. */
export const draftKey = (wallet: string, thread: string): string => prefixOf(wallet) + thread

/** Forgets what a wallet has written and not sent. */
export function forgetDrafts(wallet: string): void {
  for (const storage of [localStorage, sessionStorage])
    for (const key of Object.keys(storage)) if (key.startsWith(prefixOf(wallet))) storage.removeItem(key)
}

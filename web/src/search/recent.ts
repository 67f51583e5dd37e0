// The latest searches of a wallet. They are stored on this device alone, and deleted when the wallet signs out here.

const most = 6
const keyOf = (wallet: string) => `parley.searches.${wallet}`

export function recentSearches(wallet: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(wallet)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** Stores a search from which somebody has opened a message. */
export function keepSearch(wallet: string, text: string): void {
  const kept = text.trim()
  if (!kept) return
  const all = [kept, ...recentSearches(wallet).filter((one) => one !== kept)].slice(0, most)
  try {
    localStorage.setItem(keyOf(wallet), JSON.stringify(all))
  } catch {
    // The storage is full: nothing is lost that somebody would miss.
  }
}

export const forgetSearches = (wallet: string): void => localStorage.removeItem(keyOf(wallet))

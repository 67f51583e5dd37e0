// A search on this device that somebody has paused stays so, also after a reload, until they go on or sign out.

const keyOf = (wallet: string) => `parley.search-paused.${wallet}`

export const isPaused = (wallet: string): boolean => {
  try {
    return localStorage.getItem(keyOf(wallet)) !== null
  } catch {
    return false
  }
}

export function setPaused(wallet: string, paused: boolean): void {
  try {
    if (paused) localStorage.setItem(keyOf(wallet), 'yes')
    else localStorage.removeItem(keyOf(wallet))
  } catch {
    // The storage is full: it is paused for as long as the page is open.
  }
}

export const forgetPaused = (wallet: string): void => setPaused(wallet, false)

import { useSyncExternalStore } from 'react'

let notice = ''
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Says something short at the foot of the page. */
export function tell(text: string): void {
  notice = text
  clearTimeout(timer)
  if (text) timer = setTimeout(() => tell(''), 3_500)
  for (const listener of listeners) listener()
}

/** Copies a text and says so. */
export async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    tell(done)
  } catch {
    tell('The browser does not allow copying here.')
  }
}

export const useNotice = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => notice,
  )

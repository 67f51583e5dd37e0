import { createStore, useStore } from './store.ts'

const notice = createStore('')
let timer: ReturnType<typeof setTimeout> | undefined

/** Shows a short text at the bottom of the page for a few seconds. */
export function showNotice(text: string): void {
  notice.set(text)
  clearTimeout(timer)
  timer = setTimeout(() => notice.set(''), 3_500)
}

/** Copies a text to the clipboard and shows a notice about it. */
export async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showNotice(done)
  } catch {
    showNotice('The browser does not allow copying here.')
  }
}

export const useNotice = (): string => useStore(notice)

// A dialog over the page makes the rest of the page inert and covers it, notices too: they are shown in the dialog on top.

import { createStore } from '../state/store.ts'

/** These dialogs are open, the one on top last. */
export const openDialogs = createStore<readonly HTMLDialogElement[]>([])

/**
 * Opens a dialog over the page. Returns the function that closes it, which runs before the dialog is removed: only then the
 * browser returns the focus.
 */
export function showModal(element: HTMLDialogElement): () => void {
  element.showModal()
  openDialogs.set([...openDialogs.get(), element])
  return () => {
    openDialogs.set(openDialogs.get().filter((one) => one !== element))
    element.close()
  }
}

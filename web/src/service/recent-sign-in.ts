// The service allows some requests only soon after a sign-in (`old_sign_in`). A request that it refuses for that waits
// until the user has signed in again, and is then repeated, from every caller.

import { createStore, useStore } from '../state/store.ts'

interface Prompt {
  /** Receives whether the user has signed in again. */
  answer: (isDone: boolean) => void
}

const prompt = createStore<Prompt | undefined>(undefined)
let asking: Promise<boolean> | undefined

/** Returns what waits for a sign-in, if anything. */
export const useAskedToSignIn = (): Prompt | undefined => useStore(prompt)

/**
 * Returns true when the user has just done something: requests that the page makes by itself do not open the dialog.
 */
export const isOfPerson = (): boolean =>
  (navigator as { userActivation?: UserActivation }).userActivation?.isActive ?? true

/** Opens the dialog to sign in again. Returns whether that was done; requests at one time share the dialog. */
export async function askToSignIn(): Promise<boolean> {
  asking ??= new Promise<boolean>((answer) => prompt.set({ answer })).finally(() => {
    asking = undefined
    prompt.set(undefined)
  })
  return asking
}

/** Returns true when a response says that the sign-in is too old. */
export async function isOldSignIn(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const { type } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { type?: string }
  return type?.split(/[#:]/).at(-1) === 'old_sign_in'
}

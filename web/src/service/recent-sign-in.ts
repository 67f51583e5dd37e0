// What the service allows only soon after a sign-in (`old_sign_in`). A request that it refuses for that
// waits until the person has signed in again, and is repeated then, whatever asked for it.

import { createStore, useStore } from '../ui/store.ts'

interface Asked {
  /** Called with whether the person has signed in again. */
  answer: (isDone: boolean) => void
}

const asked = createStore<Asked | undefined>(undefined)
let asking: Promise<boolean> | undefined

/** What waits for a sign-in, if anything. */
export const useAskedToSignIn = (): Asked | undefined => useStore(asked)

/** Whether the person has just done something: what the page does by itself asks for no signature. */
export const isOfPerson = (): boolean =>
  (navigator as { userActivation?: UserActivation }).userActivation?.isActive ?? true

/** Asks the person to sign in again. Answers whether that was done; requests at one time share the question. */
export async function askToSignIn(): Promise<boolean> {
  asking ??= new Promise<boolean>((answer) => asked.set({ answer })).finally(() => {
    asking = undefined
    asked.set(undefined)
  })
  return asking
}

/** Whether a response says that the sign-in is too old. */
export async function isOldSignIn(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const { type } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { type?: string }
  return type?.split(/[#:]/).at(-1) === 'old_sign_in'
}

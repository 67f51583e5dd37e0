import { createStore, useStore } from '../state/store.ts'

/** A moderator is about to mute this wallet in a chat, or to ban it from the chat. */
export interface Restrictable {
  nftaddr: string
  wallet: string
  /** The reader knows the wallet by this name. */
  title: string
  how: 'mute' | 'ban'
}

const subject = createStore<Restrictable | undefined>(undefined)

/** Opens the dialog that says for how long a wallet may not post or read, and why. */
export const askToRestrict = (what: Restrictable): void => subject.set(what)
export const endRestricting = (): void => subject.set(undefined)
export const useRestricting = (): Restrictable | undefined => useStore(subject)

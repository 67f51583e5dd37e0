import { createStore, useStore } from '../state/store.ts'

/** The reader is about to mute this wallet or chat. */
export type Mutable = ({ peer: string } | { nftaddr: string }) & {
  /** The reader knows it by this name. */
  title: string
}

const subject = createStore<Mutable | undefined>(undefined)

/** Opens the dialog that says for how long something is muted. */
export const askToMute = (what: Mutable): void => subject.set(what)
export const endMuting = (): void => subject.set(undefined)
export const useMuting = (): Mutable | undefined => useStore(subject)

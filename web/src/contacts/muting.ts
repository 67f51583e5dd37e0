import { createStore, useStore } from '../ui/store.ts'

/** What is to be muted: a wallet or a chat. */
export type Mutable = ({ peer: string } | { nftaddr: string }) & {
  /** What the reader knows it by. */
  title: string
}

const asked = createStore<Mutable | undefined>(undefined)

/** Asks for how long something is muted. */
export const askToMute = (what: Mutable): void => asked.set(what)
export const endMuting = (): void => asked.set(undefined)
export const useMuting = (): Mutable | undefined => useStore(asked)

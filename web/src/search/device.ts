import type { SearchFor, SearchHit } from '@parley/sdk/contract/search.ts'

/** A message that was found, by the service or on this device. */
export type FoundMessage = SearchHit & {
  /** It is encrypted, and was found on this device: its item has the text as it was decrypted here. */
  isSealed?: true
}

/** How far the encrypted messages on this device are searched. */
export interface DeviceSearch {
  hits: FoundMessage[]
  /** Encrypted messages back to this time (epoch ms) are searched; undefined: all of them, or there are none. */
  backTo: number | undefined
  /** locked: the wallet has encrypted conversations and has not unlocked; none: there are none. */
  state: 'none' | 'locked' | 'working' | 'paused' | 'whole' | 'full'
}
export const searchDevice = async (_query: SearchFor): Promise<DeviceSearch> => ({
  hits: [],
  backTo: undefined,
  state: 'none',
})
/** Walks further back now, as the person asks; resolves when a step is done. */
export const searchFurther = async (): Promise<void> => {}

import { createStore, useStore } from '../state/store.ts'

/** How far the encrypted messages of the wallet are read into the index of this device. */
export interface DeviceProgress {
  /** locked: the wallet has encrypted conversations and has not unlocked; none: there are none. */
  state: 'none' | 'locked' | 'working' | 'paused' | 'whole' | 'full'
  /** Messages back to this time (epoch ms) are searched; undefined: all of them, or there are none. */
  backTo: number | undefined
  /** This many messages are indexed. */
  count: number
  /** Of the conversations, this part is searched to its beginning: 0 to 1. */
  part: number
  /** The device does not store more of them. */
  hasNoRoom: boolean
}

export const nothing: DeviceProgress = {
  state: 'none',
  backTo: undefined,
  count: 0,
  part: 0,
  hasNoRoom: false,
}
export const progress = createStore(nothing)
export const useDeviceProgress = (): DeviceProgress => useStore(progress)

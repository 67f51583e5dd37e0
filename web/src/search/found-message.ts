import type { SearchHit } from '@parley/sdk/contract/search.ts'
import type { DeviceProgress } from './progress.ts'

/** A hit of the device is a message whose text was encrypted. */
export type FoundMessage = SearchHit & { isSealed?: true }

/** How far the encrypted messages on this device are searched. */
export interface DeviceSearch extends Pick<DeviceProgress, 'backTo' | 'state'> {
  hits: FoundMessage[]
}

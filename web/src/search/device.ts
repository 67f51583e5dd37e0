// Encrypted messages are searched on the device, because the service cannot read them. What does that loads when somebody
// searches, or when the page has shown what it shows first.

import type { SearchFor } from '@parley/sdk/contract/search.ts'
import type { DeviceSearch } from './found-message.ts'

const load = () => import('./indexing.ts')

/** Begins to read encrypted messages into the index, and goes on for as long as the page is open. */
export const startDeviceSearch = async (): Promise<void> => (await load()).startDeviceSearch()

/** Finds encrypted messages of the wallet, newest first. */
export const searchDevice = async (search: SearchFor): Promise<DeviceSearch> =>
  (await load()).searchDevice(search)

/** Walks further back now, as the person asks; resolves when a step is done. */
export const searchFurther = async (): Promise<void> => (await load()).searchFurther()

export const pauseDeviceSearch = async (): Promise<void> => (await load()).pauseDeviceSearch()
export const resumeDeviceSearch = async (): Promise<void> => (await load()).resumeDeviceSearch()

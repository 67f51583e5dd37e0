/** Loads the search on this device, which nothing needs before somebody searches or the page is idle. */
export const loadDeviceSearch = () => import('./device.ts')

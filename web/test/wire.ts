// What a page loads and how many bytes come, and a slow device with a slow connection.

import type { CDPSession, Page } from 'playwright-core'

interface Transfer {
  path: string
  /** The bytes that came over the wire: the headers, and the body as it was compressed; 0 until all are here. */
  bytes: number
}

/** Follows what a page loads over the network from here on, in the order of the requests. Nothing is in its cache. */
export async function followWire(page: Page): Promise<readonly Transfer[]> {
  const session = await openSession(page)
  const transfers = new Map<string, Transfer>()
  const listed: Transfer[] = []
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!request.url.startsWith('http')) return
    const transfer = { path: new URL(request.url).pathname, bytes: 0 }
    transfers.set(requestId, transfer)
    listed.push(transfer)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const transfer = transfers.get(requestId)
    if (transfer) transfer.bytes = encodedDataLength
  })
  return listed
}

/** In milliseconds there and back, and bits a second. The first is what Lighthouse has. */
export const connections = {
  'slow 4G': { latency: 150, down: 1_600_000, up: 750_000 },
  'slow 3G': { latency: 400, down: 400_000, up: 400_000 },
}

/** Gives a page a fourth of the CPU, and a slow connection without a cache. */
export async function slowDown(
  page: Page,
  { latency, down, up }: (typeof connections)[keyof typeof connections],
): Promise<void> {
  const session = await openSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: down / 8,
    uploadThroughput: up / 8,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

async function openSession(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  return session
}

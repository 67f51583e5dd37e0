import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/settings.ts'
import { openStreams } from '../telemetry/metrics.ts'
import { networkOf } from './network.ts'
import { createOpenCount } from './concurrency.ts'
import { tooMany } from './too-many.ts'

// Spec gap: a person with more windows and devices than this is a program that does not close its
// streams. A network address may have as many as a large office needs.

/** Counts an event stream until its connection closes, or throws 429. */
export type HoldStream = (wallet: string, request: FastifyRequest, reply: FastifyReply) => void

/** Counts an event stream for an operator's view of the service, and refuses none. */
export const countUnlimited: HoldStream = (_wallet, _request, { raw }) => {
  if (raw.destroyed) return
  openStreams.inc()
  raw.once('close', () => openStreams.dec())
}

/** Counts the open event streams of wallets and of network addresses, on this instance. */
export function countStreams({ streamsOfWallet, streamsOfAddress, ipv6Factor }: Config): HoldStream {
  const ofWallets = createOpenCount(streamsOfWallet)
  const ofNetworks = createOpenCount(streamsOfAddress, streamsOfAddress * ipv6Factor)
  return (wallet, request, { raw }) => {
    if (raw.destroyed) return
    const ofWallet = ofWallets.take(wallet)
    if (!ofWallet)
      throw tooMany('streams', `A wallet may have ${streamsOfWallet} event streams open. Close some.`, 10)
    const ofNetwork = ofNetworks.take(networkOf(request))
    if (!ofNetwork) {
      ofWallet()
      throw tooMany(
        'streams-network',
        `All wallets of your network address may have ${streamsOfAddress} event streams open. Close some.`,
        10,
      )
    }
    openStreams.inc()
    raw.once('close', () => {
      openStreams.dec()
      ofWallet()
      ofNetwork()
    })
  }
}

// This is the memory of known tokens: each instance reads a token by itself. The facts of a token count for an hour, its picture
// for a day; a failed read is retried after a minute. Both memories have bounds in bytes. When many request the same at once, one
// fetches.

import { LRUCache } from 'lru-cache'
import { draw, inspectToken } from '../../pictures/draw.ts'
import type { Config } from '../../config/settings.ts'

import { createTurns, inTurn, type Who } from '../../limits/concurrency.ts'
import { hour, minute } from '../../lib/times.ts'
import type { Gate } from '../../messages/gate.ts'
import { type Metadata, nothing, readMetadata, readPicture } from './metadata.ts'

const MiB = 1024 * 1024

/** A token, with what its metadata says. */
export interface Known extends Metadata {
  chainId: number
  collection: string
}

interface Memories {
  /** Tokens by contract and id; null where no chain knows the contract. */
  tokens: LRUCache<string, { token: Known | null }, () => Promise<Known | null>>
  /** Pictures by contract and id; an empty text means that there is none. */
  pictures: LRUCache<string, string, () => Promise<string>>
}

const memories = new WeakMap<object, Memories>()

function memoriesOf({ rpcUrls }: Pick<Config, 'rpcUrls'>): Memories {
  const known = memories.get(rpcUrls) ?? createMemories()
  memories.set(rpcUrls, known)
  return known
}

// This reads the clock at each call, because a test may replace it.
const perf = { now: () => performance.now() }

const createMemories = (): Memories => ({
  tokens: new LRUCache({
    maxSize: 16 * MiB,
    perf,
    sizeCalculation: ({ token }) => JSON.stringify(token).length + 200,
    fetchMethod: async (_key, _stale, { context: ask, options }) => {
      const token = await ask()
      options.ttl = token && (token.name || token.image) ? hour : minute
      return { token }
    },
    ignoreFetchAbort: true,
  }),
  pictures: new LRUCache({
    maxSize: 32 * MiB,
    perf,
    sizeCalculation: (picture) => picture.length + 200,
    fetchMethod: async (_key, _stale, { context: ask, options }) => {
      const picture = await ask()
      options.ttl = picture ? 24 * hour : minute
      return picture
    },
    ignoreFetchAbort: true,
  }),
})

/** The maximum number of fetches at once: in total, by a wallet, from a network address; and how many may wait. */
const turns = createTurns({ name: 'nfts', total: 8, caller: 2, network: 4, site: 4, waiting: 50 })

interface TokenQuery {
  config: Pick<
    Config,
    'rpcUrls' | 'nftMetadata' | 'ipfsGateway' | 'arweaveGateway' | 'privateFetchHosts' | 'pictureSeconds'
  >
  /** The caller that waits for it. */
  who: Who
  contract: `0x${string}`
  id: bigint
  homes: Gate['homes']
  /** Counts a query to the chains, or throws 429. */
  spend: () => void
}

/** Describes a token; null when no chain knows its contract. Throws 502 when a chain does not answer. */
export async function describeToken({
  config,
  who,
  contract,
  id,
  homes,
  spend,
}: TokenQuery): Promise<Known | null> {
  const ask = async (): Promise<Known | null> => {
    spend()
    const home = await homes.find(contract)
    if (!home) return null
    const { readToken } = await import('../../chains/tokens.ts')
    const token = await readToken(config, home, id)
    if (!token) return null
    const { chainId, collection, uri } = token
    const metadata =
      uri && config.nftMetadata ? await inTurn(turns, who, () => readMetadata(config, uri)) : nothing
    return { chainId, collection, ...metadata }
  }
  return (await memoriesOf(config).tokens.fetch(`${contract} ${id}`, { context: ask }))!.token
}

/** Returns the picture of a token as a data URL; empty when there is none. */
export async function drawToken(query: TokenQuery, { image }: Known): Promise<string> {
  const { config, who, contract, id } = query
  const ask = async () => {
    const bytes = await inTurn(turns, who, () => readPicture(config, image))
    const found = bytes && inspectToken(bytes)
    if (!found) return ''
    const drawn = await draw(config, who, found.picture, { isSvg: found.isSvg, isToken: true })
    return 'problem' in drawn ? '' : drawn.shown
  }
  return image ? (await memoriesOf(config).pictures.fetch(`${contract} ${id}`, { context: ask }))! : ''
}

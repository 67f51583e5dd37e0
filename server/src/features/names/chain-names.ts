// These are the names of wallets in ENS. A request returns what is known; a job asks the chains, so nobody waits for them.

import type { ChainName, chainNames } from '@parley/sdk/contract/chain-names.ts'
import { mostChainNames } from '@parley/sdk/contract/chain-names.ts'
import type { Config } from '../../config/settings.ts'
import type { Context } from '../../context.ts'
import { readAddresses } from '../../http/addresses.ts'
import type { Handlers } from '../../http/endpoint.ts'
import type { Payloads } from '../../jobs/tasks.ts'
import { forEachLimited } from '../../lib/for-each-limited.ts'
import { day, hour, second } from '../../lib/times.ts'
import { chainNameSkeletons } from '../../values/display-name.ts'
import { isEvmAddress } from '../../values/formats.ts'
import * as store from './chain-names-store.ts'

/** A name is asked for again after a day. It is shown for another day while nobody answers. */
const longestShown = 2 * day
/** A client waits this long for a name that is asked for. */
const patience = 30 * second
/** One job asks for at most this many names at once. */
const atOnce = 4
/** A job gives up after this many names for which no chain responds. Single names can make a node slow, a node that is away all. */
const mostFailures = 4

/** Returns true when the service asks for names of wallets. */
const asksForNames = ({ chainNames: isOn, rpcUrls }: Pick<Config, 'chainNames' | 'rpcUrls'>) =>
  isOn && Object.hasOwn(rpcUrls, '1')

export const handlers: Handlers<typeof chainNames> = {
  async listChainNames(ctx, { caller, query, http }) {
    const { db, config, chainNameLimits } = ctx
    const wallets = readAddresses(query.addresses, mostChainNames).filter(isEvmAddress)
    if (!asksForNames(config) || wallets.length === 0) return []
    const rows = await store.findChainNames(db, wallets)
    const now = db.now()
    const settled = new Set(rows.flatMap(({ address, again_ms }) => (again_ms > now ? [address] : [])))
    const unsettled = wallets.filter((wallet) => !settled.has(wallet))
    const allowed = chainNameLimits.take(http.request.who, unsettled.length)
    const asked = await store.askLater(db, caller.address, unsettled.slice(0, allowed))
    const isAsked = new Set([...asked, ...rows.filter(isWaiting(now)).map(({ address }) => address)])
    const shown = new Map(rows.filter(isShown(now)).map((row) => [row.address, row]))
    const alike = await findLookAlikes(ctx, caller.address, [...shown.values()])
    return wallets.flatMap((address): ChainName[] => {
      const known = shown.get(address)
      const checking = isAsked.has(address)
      if (!known && !checking) return []
      const looks_like = alike.get(address)
      return [
        {
          address,
          ...(known && { name: known.name, chain: known.chain }),
          ...(looks_like && { looks_like }),
          ...(checking && { checking }),
        },
      ]
    })
  },
}

type Row = store.ChainNameRow

const isWaiting = (now: number) => (row: Row) =>
  row.asked_ms > now - patience && (row.named_ms === null || row.named_ms < row.asked_ms)

const isShown =
  (now: number) =>
  (row: Row): row is Row & { name: string; chain: number } =>
    row.name !== null && row.named_ms !== null && row.named_ms > now - longestShown

/** Returns by address another wallet that has a name which looks like the one in ENS. */
async function findLookAlikes(
  { db }: Pick<Context, 'db'>,
  caller: string,
  named: { address: string; name: string }[],
): Promise<Map<string, string>> {
  const looks = named.map(({ address, name }) => ({ address, skeletons: chainNameSkeletons(name) }))
  if (looks.length === 0) return new Map()
  const [aliases, chosen] = await Promise.all([
    store.findAliases(db, caller),
    store.findBySkeleton(db, [...new Set(looks.flatMap(({ skeletons }) => skeletons))]),
  ])
  const own = new Set(aliases.map(({ peer }) => peer))
  const known = [
    ...aliases.flatMap(({ peer, alias }) =>
      chainNameSkeletons(alias).map((skeleton) => ({ skeleton, address: peer })),
    ),
    ...chosen,
  ]
  return new Map(
    looks.flatMap(({ address, skeletons }): [string, string][] => {
      // The caller knows this wallet by a name of its own, or the wallet has this name here as well.
      if (own.has(address)) return []
      const near = known.filter(({ skeleton }) => skeletons.includes(skeleton))
      const other = near.some((one) => one.address === address) ? undefined : near[0]
      return other ? [[address, other.address]] : []
    }),
  )
}

/** Asks the chains for names, and stores what they say. What they do not answer is asked again later. */
export async function readChainNames(
  { db, config, log }: Pick<Context, 'db' | 'config' | 'log'>,
  { addresses }: Pick<Payloads['read-chain-names'], 'addresses'>,
): Promise<void> {
  if (!asksForNames(config)) return
  const { findPrimaryName } = await import('../../chains/primary-name.ts')
  let failures = 0
  await forEachLimited(addresses.filter(isEvmAddress), atOnce, async (address) => {
    if (failures >= mostFailures) return
    try {
      const { name, chain, isWhole } = await findPrimaryName(config, address)
      await store.storeChainName(db, address, { name, chain }, isWhole ? day : hour)
    } catch (error) {
      failures++
      log.debug(`the name of a wallet stays unknown: ${(error as Error).message}`)
    }
  })
}

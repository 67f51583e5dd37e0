// These are the facts that chains know about an address. A job reads them, so that nobody waits for a chain; what a chain does
// not answer stays unknown.

import type { Hex } from 'viem'
import { chainUnavailable } from '../../chains/client.ts'
import { type Chain, configuredChains, readCode } from '../../chains/contract-view.ts'
import { findReverseName } from '../../chains/ens.ts'
import { holdsToken } from '../../chains/ownership.ts'
import type { Context } from '../../context.ts'
import type { Payloads } from '../../jobs/tasks.ts'
import { isEvmAddress } from '../../values/formats.ts'
import { type Facts, storeFacts } from './store.ts'

/** Reads and stores the facts that a job names. */
export async function readChainFacts(
  { db, config, gate, log }: Pick<Context, 'db' | 'config' | 'gate' | 'log'>,
  { peer, about }: Pick<Payloads['read-chain-facts'], 'peer' | 'about'>,
): Promise<void> {
  if (!isEvmAddress(peer)) return
  const read = async (one: string): Promise<Facts | undefined> => {
    if (isEvmAddress(one)) {
      const home = await gate.homes.find(one)
      return { holds: home !== undefined && (await holdsToken({ config }, home, peer)) }
    }
    const chain = configuredChains(config).find(({ id }) => String(id) === one)
    return chain && readAddress(config, chain, peer)
  }
  for (const one of about)
    try {
      const facts = await read(one)
      if (facts) await storeFacts(db, peer, one, facts)
    } catch (error) {
      // The next request makes it retry.
      log.debug(`a chain fact stays unknown: ${(error as Error).message}`)
    }
}

async function readAddress(config: Context['config'], chain: Chain, address: Hex): Promise<Facts> {
  const [code, count, name] = await Promise.all([
    readCode(chain, address),
    chain.rpc.getTransactionCount({ address }).catch((error: unknown) => {
      throw chainUnavailable(chain.id, error)
    }),
    findReverseName(config, chain.id, address),
  ])
  return { is_contract: code !== '0x', transactions: band(count), ...(name && { name }) }
}

const band = (count: number) => (count === 0 ? '0' : count < 10 ? '1-9' : count < 100 ? '10-99' : '100+')

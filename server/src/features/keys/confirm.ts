import { createHash } from 'node:crypto'
import { fromString, type Hex } from 'ox/Hex'
import { getSignPayload } from 'ox/PersonalMessage'
import type { Chain } from '../../chains/contract-view.ts'
import { createMemory } from '../../chains/memory.ts'
import { verifyBySmartWallet } from '../../chains/smart-wallet.ts'
import type { Config } from '../../config/settings.ts'
import { minute } from '../../lib/times.ts'

interface Signed {
  chain: Chain
  address: Hex
  text: string
  signature: Hex
}

/** Its owners may change, and a wallet may appear where there is none yet. */
const memoryOf = createMemory<'yes' | 'no'>((answer) => (answer === 'yes' ? 10 * minute : minute))

/** Returns whether a contract confirms a signature. Of equal questions one is asked; `spend` counts it, or throws 429. */
export async function confirms(
  config: Pick<Config, 'rpcUrls'>,
  { chain, address, text, signature }: Signed,
  spend: () => void,
): Promise<boolean> {
  const question = createHash('sha256')
    .update(JSON.stringify([chain.id, address, text, signature]))
    .digest('base64url')
  const context = async () => {
    spend()
    const hash = getSignPayload(fromString(text))
    return (await verifyBySmartWallet(config, chain.id, address, hash, signature)) ? 'yes' : 'no'
  }
  return (await memoryOf(config).fetch(question, { context })) === 'yes'
}

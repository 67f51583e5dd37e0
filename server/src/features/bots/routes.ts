import { type bots, mostAskedBots } from '@parley/sdk/contract/bots.ts'
import { ApiError } from '@parley/sdk/contract/errors.ts'
import { readAddresses } from '../../http/addresses.ts'
import type { Handlers } from '../../http/endpoint.ts'

export const handlers: Handlers<typeof bots> = {
  async becomeBot({ bots: known, signOuts }, { caller: { address, signOut } }) {
    const isNew = await known.mark(address)
    // An erasure of the wallet at the same time has deleted this, or the number is there already.
    if ((await signOuts.numberFor(address)) > signOut) {
      if (isNew) await known.unmark(address)
      throw new ApiError('unauthorized', 'This sign-in has ended. Sign in again.')
    }
    return { is_bot: true }
  },

  async getBot({ bots: known }, { caller }) {
    return { is_bot: await known.isBot(caller.address) }
  },

  async listBots({ bots: known }, { query: { addresses } }) {
    return [...(await known.among(readAddresses(addresses, mostAskedBots)))]
  },
}

import { ApiError } from '@parley/sdk/contract/errors.ts'
import { mostOfficial, type official } from '@parley/sdk/contract/official.ts'
import type { FastifyReply } from 'fastify'
import type { Handlers } from '../../http/endpoint.ts'
import { badRequest } from '../../http/validation.ts'
import { addOfficial, removeOfficial } from './store.ts'

/** Proxies keep the list for a moment, for sites that print it and check wallets by it. A browser asks again: a change is seen. */
const cached = (reply: FastifyReply) => reply.header('cache-control', 'public, max-age=0, s-maxage=30')

/** An operator does not give the sign to their own wallet, nor takes it. */
function requireOther(operator: string, wallet: string): void {
  if (operator === wallet)
    throw badRequest([
      { pointer: '/path/walletaddr', detail: 'is yourself: another operator decides about you' },
    ])
}

export const handlers: Handlers<typeof official> = {
  async listOfficial({ officials }, { http }) {
    cached(http.reply)
    return officials.list()
  },

  async getOfficial({ officials }, { params: { walletaddr }, http }) {
    cached(http.reply)
    return [officials.get(walletaddr) ?? []].flat()
  },

  async addOfficial({ db, officials }, { caller, params: { walletaddr }, body: { label }, full }) {
    requireOther(caller.address, walletaddr)
    const named = await db.transaction((tx) =>
      addOfficial(tx, { operator: caller.address, address: walletaddr, label }),
    )
    if (!named) throw full(mostOfficial, 'Take one off the team first.')
    await officials.refresh()
    return [named.official]
  },

  async removeOfficial({ db, officials }, { caller, params: { walletaddr } }) {
    requireOther(caller.address, walletaddr)
    const change = { operator: caller.address, address: walletaddr }
    const isRemoved = await db.transaction((tx) => removeOfficial(tx, change))
    // An earlier response may have been lost, and with it this.
    await officials.refresh()
    if (!isRemoved) throw new ApiError('not_found', 'This wallet is not on the team.')
  },
}
